"""Copies GraphiQL and React, at pinned versions, out of their npm packages into the service's static files.

`python -m tools.vendor.graphiql` needs the npm client (its default registry) and is run by a maintainer only: the copies are committed,
so that the page works without any request to another host. Files are copied as they are; `vendored.json` says where each came from and
its SHA-256, and tests/deploy compares.
"""

import hashlib
import json
import shutil
import subprocess
import sys
import tarfile
import tempfile
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

FOLDER: Final = Path(__file__).resolve().parents[2] / "consilience" / "app" / "static" / "graphiql" / "vendor"
RECORD: Final = "vendored.json"


@dataclass(frozen=True, slots=True)
class Piece:
    """One file of one package at one version, and the name of its copy."""

    package: str
    version: str
    member: str
    name: str


# GraphiQL 3 is the last line with a build that a page can load without a bundler, and it wants React 18.
PIECES: Final = (
    Piece("graphiql", "3.9.0", "graphiql.min.js", "graphiql.min.js"),
    Piece("graphiql", "3.9.0", "graphiql.min.css", "graphiql.min.css"),
    Piece("graphiql", "3.9.0", "LICENSE", "graphiql.LICENSE"),
    Piece("react", "18.3.1", "umd/react.production.min.js", "react.production.min.js"),
    Piece("react", "18.3.1", "LICENSE", "react.LICENSE"),
    Piece("react-dom", "18.3.1", "umd/react-dom.production.min.js", "react-dom.production.min.js"),
    Piece("react-dom", "18.3.1", "LICENSE", "react-dom.LICENSE"),
)


@dataclass(frozen=True, slots=True)
class Copied:
    """A copied piece and the SHA-256 (hex) of its bytes."""

    package: str
    version: str
    member: str
    name: str
    sha256: str


def fetch(package: str, *, version: str, into: Path) -> Path:
    """Path of the package's archive, fetched by npm, which checks it against its registry's record. Raises CalledProcessError."""
    npm = shutil.which("npm")
    if npm is None:
        raise SystemExit("the npm client is not installed: only this maintainers' tool needs it")
    printed = subprocess.run(  # noqa: S603  # fixed arguments
        [npm, "pack", f"{package}@{version}", "--json", "--pack-destination", str(into)], check=True, capture_output=True, text=True
    ).stdout
    return into / str(json.loads(printed)[0]["filename"])


def copied(piece: Piece, *, content: bytes) -> Copied:
    """The record of one copy."""
    return Copied(**asdict(piece), sha256=hashlib.sha256(content).hexdigest())


def main() -> int:
    """Fetch, copy, record. Prints one line per file."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    records: list[Copied] = []
    with tempfile.TemporaryDirectory() as temporary:
        archives = {
            (p.package, p.version): fetch(p.package, version=p.version, into=Path(temporary))
            for p in {p.package: p for p in PIECES}.values()
        }
        for piece in PIECES:
            with tarfile.open(archives[piece.package, piece.version]) as archive:
                member = archive.extractfile(f"package/{piece.member}")
                if member is None:
                    raise SystemExit(f"{piece.package} {piece.version} has no file {piece.member}")
                content = member.read()
            (FOLDER / piece.name).write_bytes(content)
            records.append(copied(piece, content=content))
            sys.stdout.write(f"{piece.name}: {len(content)} bytes\n")
    (FOLDER / RECORD).write_text(json.dumps([asdict(record) for record in records], indent=2) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
