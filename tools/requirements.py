"""Requirement lines of pyproject.toml, by set: what `make lock` pins and what tests compare the pins with. Pure but for reading the file.

Sets: `core` (the service's own dependencies), `build` (what builds the project), and each extra by its name.
"""

import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def requirement_sets(pyproject: str) -> dict[str, list[str]]:
    """Requirement lines per set, from the text of a pyproject.toml. An extra's reference to the project's own extras is left out."""
    table = tomllib.loads(pyproject)
    project = table["project"]
    extras: dict[str, list[str]] = project["optional-dependencies"]
    own = f"{project['name']}["
    return {
        "build": list(table["build-system"]["requires"]),
        "core": list(project["dependencies"]),
        **{name: [line for line in lines if not line.startswith(own)] for name, lines in extras.items()},
    }


def main(names: list[str]) -> int:
    """Print the lines of the named sets, one each. Status 2 for an unknown set."""
    sets = requirement_sets((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    if unknown := [name for name in names if name not in sets]:
        sys.stderr.write(f"no such set in pyproject.toml: {', '.join(unknown)}; there are {', '.join(sorted(sets))}\n")
        return 2
    sys.stdout.writelines(f"{line}\n" for name in names for line in sets[name])
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
