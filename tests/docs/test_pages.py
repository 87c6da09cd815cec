"""The documents keep their word: links resolve, commands exist, marked blocks run, generated pages are current."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from consilience.cli.app import app
from tools.docs import settings
from tools.requirements import requirement_sets

ROOT = Path(__file__).resolve().parents[2]
SKIPPED = frozenset({".venv", ".git", "node_modules", "build", "dist", ".pytest_cache", ".hypothesis", "out"})
FENCE = re.compile(r"^```(?P<info>[^\n`]*)\n(?P<body>.*?)^```$", re.MULTILINE | re.DOTALL)


def pages() -> list[Path]:
    """Every Markdown file of the project."""
    return sorted(path for path in ROOT.rglob("*.md") if not SKIPPED.intersection(path.relative_to(ROOT).parts))


def prose(text: str) -> str:
    """A page without its code blocks."""
    return FENCE.sub("", text)


def anchors(text: str) -> set[str]:
    """The anchors that a page's headings get where it is rendered."""
    heads = re.findall(r"^#+ (.+)$", prose(text), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", head.lower()).replace(" ", "-") for head in heads}


def broken_links(text: str, *, page: Path) -> list[str]:
    """Relative links of a page that lead nowhere."""
    wrong: list[str] = []
    for target in re.findall(r"!?\[[^\]]*\]\(([^)\s]+)\)", re.sub(r"`[^`\n]*`", "", prose(text))):
        if re.match(r"[a-z]+:", target):
            continue
        path, _, anchor = target.partition("#")
        there = (page.parent / path).resolve() if path else page
        if not there.exists() or (anchor and there.suffix == ".md" and anchor not in anchors(there.read_text(encoding="utf-8"))):
            wrong.append(target)
    return wrong


def code(text: str) -> str:
    """What a page shows as something to type: its shell blocks and its inline code, one piece a line."""
    blocks = [found["body"] for found in FENCE.finditer(text) if found["info"].split(" ")[0] in {"bash", "sh", "console"}]
    return "\n".join([*blocks, *re.findall(r"`([^`\n]+)`", prose(text))])


def targets() -> set[str]:
    return set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))


def unknown_targets(text: str) -> list[str]:
    """`make X` of a page for which the Makefile has no X."""
    return [name for name in re.findall(r"^\s*(?:\$ )?make ([a-z-]+)", code(text), re.MULTILINE) if name not in targets()]


def commands() -> set[str]:
    """Names of the commands and groups of the command line."""
    single = {one.name or getattr(one.callback, "__name__", "").replace("_", "-") for one in app.registered_commands}
    return single | {group.name for group in app.registered_groups if group.name}


def unknown_commands(text: str) -> list[str]:
    """`consilience X` of a page that the command line does not have."""
    named = re.findall(r"^\s*(?:\$ )?(?:\.venv/bin/)?consilience ([a-z][a-z-]*)", code(text), re.MULTILINE)
    return [name for name in named if name not in commands()]


def blocks_to_run() -> Iterator[tuple[str, str]]:
    for page in pages():
        for found in FENCE.finditer(page.read_text(encoding="utf-8")):
            if found["info"] == "bash run":
                yield page.relative_to(ROOT).as_posix(), found["body"]


@pytest.mark.parametrize("page", pages(), ids=lambda path: path.relative_to(ROOT).as_posix())
def test_every_link_target_and_command_of_a_page_exists(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert broken_links(text, page=page) == []
    assert unknown_targets(text) == []
    assert unknown_commands(text) == []


def test_a_wrong_link_target_or_command_is_noticed() -> None:
    links = "[a](no-such-file.md) [b](CONTRIBUTING.md#no-such-heading) [c](CONTRIBUTING.md#documents)"
    text = f"{links}\n\n```bash\nmake nothing\n```\n`consilience fly`\n"
    assert broken_links(text, page=ROOT / "README.md") == ["no-such-file.md", "CONTRIBUTING.md#no-such-heading"]
    assert unknown_targets(text) == ["nothing"]
    assert unknown_commands(text) == ["fly"]


@pytest.mark.parametrize(("page", "block"), list(blocks_to_run()))
def test_a_block_marked_to_run_succeeds(page: str, block: str) -> None:
    environment = {**os.environ, "PATH": os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])}
    ran = subprocess.run(["bash", "-euo", "pipefail", "-c", block], cwd=ROOT, env=environment, capture_output=True, text=True, timeout=60)
    assert ran.returncode == 0, f"{page}: {ran.stderr}"


@pytest.mark.parametrize("mark", ["first", "test"])
def test_the_readme_says_once_what_a_newcomer_and_ci_run(mark: str) -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    marked = [found["body"].strip() for found in FENCE.finditer(readme) if found["info"] == f"bash {mark}"]
    assert marked == [{"first": "make run", "test": "make test"}[mark]]


def test_every_target_of_the_makefile_says_what_it_does() -> None:
    shown = subprocess.run(["make", "help"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    phony = re.findall(r"^\.PHONY: (.+)$", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)[0].split()
    assert [name for name in phony if f"make {name} " not in shown] == []


def test_the_settings_page_is_current() -> None:
    assert settings.PAGE.read_text(encoding="utf-8") == settings.page()


def test_every_direct_dependency_has_its_line() -> None:
    sets = requirement_sets((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    direct = {Requirement(line).name.lower() for name, lines in sets.items() if name != "build" for line in lines}
    lines = re.findall(r"^\| `([^`]+)` \|", (ROOT / "docs" / "dependencies.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert sorted(lines) == sorted(direct)


def test_the_changelog_begins_with_what_is_unreleased() -> None:
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert re.findall(r"^## (.+)$", changelog, re.MULTILINE)[0] == "Unreleased"
