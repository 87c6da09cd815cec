"""A session in a few of its own sentences: chosen, never written, so that each word can be traced (S10). Pure."""

from collections.abc import Iterable, Sequence
from typing import Final

from consilience.schema.statements import StatementKind
from consilience.store.endings import NewSummary, Told

MOST_LINES: Final = 5
MOST_CHARACTERS: Final = 280  # of one line's words


def sum_up(told: Sequence[Told]) -> NewSummary | None:
    """The surest statements, one a clause, in the order they were said; None if nothing was. Worth as much as the weakest it quotes."""
    clauses: dict[tuple[str, str], Told] = {}
    for one in told:
        clauses.setdefault((one.episode, one.words), one)
    ordered = list(clauses.values())
    best = sorted(range(len(ordered)), key=lambda at: (-ordered[at].confidence, at))[:MOST_LINES]
    chosen = [ordered[at] for at in sorted(best)]
    if not chosen:
        return None
    return NewSummary(
        "\n".join(f"{one.speaker}: {_cut(one.words)}" for one in chosen),
        min(one.episode_confidence for one in chosen),
        min(one.trust for one in chosen),
        tuple(dict.fromkeys(one.episode for one in chosen)),
    )


def todos_of(told: Sequence[Told]) -> tuple[str, ...]:
    """What is left to do, as said, each once."""
    return _each_once(one.value for one in told if one.kind is StatementKind.TODO and not one.negated)


def events_of(told: Sequence[Told]) -> tuple[str, ...]:
    """What happened, as said, each once."""
    return _each_once(one.words for one in told if one.kind is StatementKind.EVENT and not one.negated)


def _each_once(texts: Iterable[str]) -> tuple[str, ...]:
    return tuple({text.casefold(): text for text in reversed(list(texts))}.values())[::-1]


def _cut(words: str) -> str:
    return words if len(words) <= MOST_CHARACTERS else words[: MOST_CHARACTERS - 1].rstrip() + "…"
