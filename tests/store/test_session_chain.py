"""Places in sessions, decided before they are written. Pure."""

from datetime import UTC, datetime
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from consilience.schema.domain import Role
from consilience.store.remember import NewRow, chain_sessions

NOW = datetime(2026, 3, 1, tzinfo=UTC)


def row(number: int, session: str | None) -> NewRow:
    return NewRow(f"ep_{number}", "x", Role.USER, "ana", None, "conversation", session, NOW, None, "", (), "tester")


@given(sessions=st.lists(st.sampled_from([None, "a", "b", "c"]), max_size=20), cut=st.integers(0, 20))
def test_appending_in_two_calls_is_appending_in_one(sessions: list[str | None], cut: int) -> None:
    """Positions run from 0 without gaps in each session, each turn follows the one before it, wherever the calls are cut."""
    rows = [row(number, session) for number, session in enumerate(sessions)]
    whole = chain_sessions(rows, lengths={"a": 0, "b": 0, "c": 0}, tails={})
    first = chain_sessions(rows[:cut], lengths={"a": 0, "b": 0, "c": 0}, tails={})
    lengths = {name: sum(one.session == name for one in rows[:cut]) for name in ("a", "b", "c")}
    second = chain_sessions(rows[cut:], lengths=lengths, tails=first.last)
    assert first.positions | second.positions == whole.positions
    assert first.pairs + second.pairs == whole.pairs
    assert second.last == whole.last
    for name in ("a", "b", "c"):
        own = [one.id for one in rows if one.session == name]
        assert [whole.positions[id_] for id_ in own] == list(range(len(own)))
        assert [pair for pair in whole.pairs if pair[0] in own] == list(pairwise(own))
