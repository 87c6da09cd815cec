"""The settings reference, made from the Settings class: `python -m tools.docs.settings` writes docs/reference/settings.md."""

import sys
from pathlib import Path
from typing import Final

from pydantic import AliasChoices, SecretStr
from pydantic.fields import FieldInfo

from consilience.config import Settings

PAGE: Final = Path(__file__).resolve().parents[2] / "docs" / "reference" / "settings.md"

_HEAD: Final = """\
# Settings

Made by `python -m tools.docs.settings` from `consilience/config.py`; a test compares. Set them in the environment or, one `NAME=value` a
line, in `settings.env` in the data folder (`CONSILIENCE_HOME`); the environment wins. A value that is out of bounds stops the start with a
sentence that names the setting, and exit status 5.

| variable | default | what it is |
|---|---|---|
"""


def variables(name: str, *, field: FieldInfo) -> list[str]:
    """Environment variables that set a field, the preferred one first."""
    alias = field.validation_alias
    if isinstance(alias, AliasChoices):
        return [choice for choice in alias.choices if isinstance(choice, str) and choice.isupper()]
    return [f"CONSILIENCE_{name.upper()}"]


def default_of(field: FieldInfo) -> str:
    """A field's default for the table: what differs from machine to machine is described, never computed here."""
    if field.default_factory is not None:
        return "a folder of the user's"
    value: object = field.default
    if value is None:
        return ""
    if isinstance(value, bool):
        return f"`{str(value).lower()}`"
    return "" if isinstance(value, SecretStr) else f"`{value}`"


def page() -> str:
    """The whole reference page, as Markdown."""
    rows = [
        f"| {', '.join(f'`{one}`' for one in variables(name, field=field))} | {default_of(field)} | {field.description} |"
        for name, field in Settings.model_fields.items()
    ]
    return _HEAD + "\n".join(rows) + "\n"


def main() -> int:
    """Write the page."""
    PAGE.parent.mkdir(parents=True, exist_ok=True)
    PAGE.write_text(page(), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
