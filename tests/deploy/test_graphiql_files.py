"""The vendored GraphiQL: unchanged copies, no other host named by the page, a first query the API can answer."""

import json
import re
from pathlib import Path

from graphql import build_schema, parse, validate

from tools.vendor.graphiql import FOLDER, PIECES, RECORD, Copied, copied

ROOT = Path(__file__).resolve().parents[2]
PAGE = FOLDER.parent
OWN_FILES = ("index.html", "app.js", "page.css")


def first_query() -> str:
    """The query a newcomer finds in the editor."""
    found = re.search(r"const FIRST_QUERY = `(.+?)`;", (PAGE / "app.js").read_text(encoding="utf-8"), re.DOTALL)
    assert found is not None
    return found[1]


def test_each_vendored_file_is_the_recorded_copy_of_a_pinned_package() -> None:
    records = [Copied(**record) for record in json.loads((FOLDER / RECORD).read_text(encoding="utf-8"))]
    assert records == [copied(piece, content=(FOLDER / piece.name).read_bytes()) for piece in PIECES]
    assert {path.name for path in FOLDER.iterdir()} == {piece.name for piece in PIECES} | {RECORD}
    # Control: one byte more is another hash.
    piece = PIECES[0]
    content = (FOLDER / piece.name).read_bytes()
    assert copied(piece, content=content).sha256 != copied(piece, content=content + b" ").sha256


def test_a_licence_text_stands_beside_each_vendored_package() -> None:
    for package in {piece.package for piece in PIECES}:
        assert "Permission is hereby granted" in (FOLDER / f"{package}.LICENSE").read_text(encoding="utf-8")


def test_the_page_names_no_other_host_and_has_no_inline_script() -> None:
    for name in OWN_FILES:
        assert not re.search(r"(https?:)?//[a-z0-9-]+\.[a-z]", (PAGE / name).read_text(encoding="utf-8")), name
    page = (PAGE / "index.html").read_text(encoding="utf-8")
    assert len(re.findall(r'<script src="[^"]+"></script>', page)) == page.count("<script") == 4
    assert "default-src 'none'" in page


def test_the_page_refers_only_to_files_that_are_there() -> None:
    names = re.findall(r'(?:src|href)="(?!data:)([^"]+)"', (PAGE / "index.html").read_text(encoding="utf-8"))
    assert len(names) == 6
    assert [name for name in names if not (PAGE / name).is_file()] == []


def test_the_first_query_is_valid_in_the_contract() -> None:
    contract = build_schema((ROOT / "schema" / "contract.graphql").read_text(encoding="utf-8"))
    assert validate(contract, parse(first_query())) == []
    assert validate(contract, parse(first_query().replace("hits", "hitz"))) != []  # control
