"""What is new, what is a duplicate, what contradicts (I4, I5). Pure."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone

from hypothesis import given
from hypothesis import strategies as st

from consilience.ingest.plan import Call, body_key, plan
from consilience.schema.domain import NewEpisode

NOW = datetime(2026, 3, 1, 9, 0, tzinfo=UTC)
ONE = NewEpisode("Same.", "ana", external_id="x")


def call(*episodes: NewEpisode) -> Call:
    return Call(episodes, "tester", NOW)


def test_a_refused_call_leaves_no_trace_for_those_after_it() -> None:
    """I5: what a refused call brought does not exist for the next one. Control: what an accepted one brought does."""
    bad = call(replace(ONE, external_id="y"), replace(ONE, text="Other."))
    decided = plan([call(ONE), bad, call(replace(ONE, external_id="y"))], existing={})
    assert [answer.refusal is None for answer in decided.answers] == [True, False, True]
    assert decided.answers[2].duplicates == 0
    again = plan([call(ONE), call(ONE)], existing={})
    assert again.answers[1] == replace(again.answers[0], duplicates=1)
    assert len(again.rows) == 1


def test_the_body_is_all_a_caller_said_and_nothing_else() -> None:
    """I5: the instant counts, not its spelling; the external id itself and the contributor's name do not."""
    timed = replace(ONE, occurred_at=NOW)
    same = [
        replace(timed, occurred_at=NOW.astimezone(timezone(timedelta(hours=8)))),
        replace(timed, external_id="z"),
        replace(timed, contributor_name="A"),
    ]
    assert {body_key(one) for one in same} == {body_key(timed)}
    assert body_key(replace(timed, occurred_at=NOW + timedelta(microseconds=1))) != body_key(timed)
    assert body_key(replace(ONE, metadata=(("a", "b"),))) != body_key(replace(ONE, metadata=(("ab", ""),)))


_episodes = st.builds(
    NewEpisode, st.sampled_from(["a", "b"]), st.sampled_from(["ana", "ben"]), external_id=st.none() | st.sampled_from(["x", "y", "z"])
)


@given(calls=st.lists(st.lists(_episodes, min_size=1, max_size=4), max_size=5))
def test_calls_together_are_the_calls_one_after_the_other(calls: list[list[NewEpisode]]) -> None:
    """Gathering changes no answer: the same calls alone, each seeing what was stored before, are refused, new and duplicate alike."""
    together = plan([call(*one) for one in calls], existing={})
    known: dict[str, tuple[str, str]] = {}
    alone: list[tuple[bool, int, int]] = []
    for one in calls:
        decided = plan([call(*one)], existing=known)
        alone.append((decided.answers[0].refusal is not None, decided.answers[0].duplicates, len(decided.rows)))
        known |= {row.external_id: (row.id, row.body_key) for row in decided.rows if row.external_id}
    assert [(answer.refusal is not None, answer.duplicates) for answer in together.answers] == [told[:2] for told in alone]
    assert len(together.rows) == sum(told[2] for told in alone)
    keys = [row.external_id for row in together.rows if row.external_id]
    assert len(keys) == len(set(keys))
