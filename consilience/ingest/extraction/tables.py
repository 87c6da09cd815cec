"""Reads the data tables that stand beside the code: predicates, English word classes, marks. Read once, checked as they are read."""

import re
import tomllib
from functools import cache
from importlib.resources import files
from typing import Final, cast

_PACKAGE: Final = "consilience.ingest.extraction"


@cache
def read_table(name: str) -> dict[str, object]:
    """The TOML file of this name beside the code."""
    return cast("dict[str, object]", tomllib.loads(files(_PACKAGE).joinpath(name).read_text("utf-8")))


@cache
def mark(name: str) -> re.Pattern[str]:
    """A pattern of marks.toml. Raises KeyError if there is none of this name."""
    return re.compile(cast("str", read_table("marks.toml")[name]), re.IGNORECASE)


@cache
def cased_mark(name: str) -> re.Pattern[str]:
    """The same, where capitals count."""
    return re.compile(cast("str", read_table("marks.toml")[name]))


@cache
def word_class(name: str) -> frozenset[str]:
    """A word list of english.toml."""
    return frozenset(cast("str", read_table("english.toml")[name]).split())


def _doubled(lemma: str) -> bool:
    """Whether the last consonant doubles: plan, planned."""
    return bool(re.fullmatch(r"[^aeiou]*[aeiou][bdgklmnprt]", lemma)) or lemma in {
        "commit",
        "admit",
        "submit",
        "prefer",
        "refer",
        "permit",
        "regret",
        "control",
        "occur",
    }


def regular_forms(lemma: str) -> tuple[str, str, str]:
    """Third person, past and -ing form of a regular verb."""
    if re.search(r"[^aeiou]y$", lemma):
        return lemma[:-1] + "ies", lemma[:-1] + "ied", lemma + "ing"
    third = lemma + ("es" if re.search(r"(?:s|x|z|ch|sh|[^o]o)$", lemma) else "s")
    stem = lemma[:-1] if lemma.endswith("e") and not lemma.endswith(("ee", "oe", "ye")) else lemma
    stem = "dy" if lemma == "die" else ("ly" if lemma == "lie" else stem)
    if _doubled(lemma):
        stem += stem[-1]
    past = lemma + "d" if lemma.endswith("e") else stem + "ed"
    return third, past, stem + "ing"


# What a form can be: s third person, d past, n past participle, g -ing, b base.
@cache
def verb_forms() -> dict[str, tuple[tuple[str, str], ...]]:
    """Form -> its (lemma, kind) readings."""
    table = read_table("english.toml")
    forms: dict[str, list[tuple[str, str]]] = {}
    for lemma in cast("str", table["regular"]).split():
        third, past, going = regular_forms(lemma)
        for form, kind in ((lemma, "b"), (third, "s"), (past, "d"), (past, "n"), (going, "g")):
            forms.setdefault(form, []).append((lemma, kind))
    for row in cast("list[str]", table["irregular"]):
        lemma, past, participle = row.split()
        third, _, going = regular_forms(lemma)
        third = {"have": "has", "be": "is"}.get(lemma, third)
        for form, kind in ((lemma, "b"), (third, "s"), (past, "d"), (participle, "n"), (going, "g")):
            forms.setdefault(form, []).append((lemma, kind))
    return {form: tuple(dict.fromkeys(readings)) for form, readings in forms.items()}


@cache
def _participles() -> dict[str, str]:
    return {lemma: form for form, readings in verb_forms().items() for lemma, kind in readings if kind == "n"}


def participle(lemma: str) -> str:
    """The past participle of a verb; "" if the table does not know it."""
    return _participles().get(lemma, "")
