"""What is refused, with its code and field, and that nothing of the call is stored then (A25, T11)."""

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from consilience.app.service import Services
from consilience.errors import InvalidInput, Refusal, TooLarge
from consilience.schema.domain import NewEpisode, Wait
from tests.acceptance.saying import count, said

GOOD = said("A sound sentence.", session="s", external_id="good", source="conversation")
NAIVE = datetime(2026, 3, 1, 9, 0)  # noqa: DTZ001  # what is refused
AT = "episodes[1]."

REFUSED: list[tuple[str, Callable[[], NewEpisode], type[Refusal], str]] = [
    ("empty text", lambda: said(""), InvalidInput, AT + "text"),
    ("blank text", lambda: said(" \t\n\u3000"), InvalidInput, AT + "text"),
    ("long text", lambda: said("x" * (32 * 1024 + 1)), TooLarge, AT + "text"),
    ("long in bytes, not in characters", lambda: said("字" * 10_923), TooLarge, AT + "text"),
    ("10 MB", lambda: said("x" * 10_000_000), TooLarge, AT + "text"),
    ("NUL", lambda: said("a\0b"), InvalidInput, AT + "text"),
    ("half a surrogate pair", lambda: said("a\ud800b"), InvalidInput, AT + "text"),
    ("empty contributor", lambda: said("x", by=""), InvalidInput, AT + "contributor.externalId"),
    ("long contributor", lambda: said("x", by="x" * 257), InvalidInput, AT + "contributor.externalId"),
    ("line break in contributor", lambda: said("x", by="a\nb"), InvalidInput, AT + "contributor.externalId"),
    ("surrogate in contributor", lambda: said("x", by="a\udfff"), InvalidInput, AT + "contributor.externalId"),
    ("blank name", lambda: said("x", contributor_name="  "), InvalidInput, AT + "contributor.name"),
    ("long source", lambda: said("x", source="x" * 257), InvalidInput, AT + "source"),
    ("empty session", lambda: said("x", session=""), InvalidInput, AT + "session"),
    ("NUL in session", lambda: said("x", session="a\0"), InvalidInput, AT + "session"),
    ("empty externalId", lambda: said("x", external_id=""), InvalidInput, AT + "externalId"),
    ("long externalId", lambda: said("x", external_id="x" * 257), InvalidInput, AT + "externalId"),
    ("naive time", lambda: said("x", occurred_at=NAIVE), InvalidInput, AT + "occurredAt"),
    ("33 metadata entries", lambda: said("x", metadata=tuple((f"k{n}", "v") for n in range(33))), TooLarge, AT + "metadata"),
    ("10^4 metadata entries", lambda: said("x", metadata=tuple((f"k{n}", "v") for n in range(10_000))), TooLarge, AT + "metadata"),
    ("empty metadata key", lambda: said("x", metadata=(("", "v"),)), InvalidInput, AT + "metadata[0].key"),
    ("long metadata key", lambda: said("x", metadata=(("k" * 65, "v"),)), TooLarge, AT + "metadata[0]"),
    ("long metadata value", lambda: said("x", metadata=(("a", "b"), ("k", "v" * 2049))), TooLarge, AT + "metadata[1]"),
    ("NUL in metadata", lambda: said("x", metadata=(("k", "\0"),)), InvalidInput, AT + "metadata[0].value"),
]


@pytest.mark.parametrize(("build", "kind", "field"), [row[1:] for row in REFUSED], ids=[row[0] for row in REFUSED])
async def test_bad_input_is_refused_with_code_and_field_and_nothing_is_stored(
    services: Services, space: str, build: Callable[[], NewEpisode], kind: type[Refusal], field: str
) -> None:
    """A25: the sound episode of the same call is not stored either, not even the space; the words are not quoted back."""
    episode = build()
    with pytest.raises(kind) as refused:
        await services.remember([GOOD, episode], space=space, wait=Wait.STORED, actor="tester")
    assert (refused.value.code, refused.value.field) == (kind.code, field)
    assert len(str(refused.value)) < 200
    assert await count(services.store, "Episode", space=space) == 0
    assert space not in {one.name for one in await services.list_spaces()}


async def test_what_is_at_the_limit_is_stored(services: Services, space: str) -> None:
    """A25, control of all above: the longest text, keys, metadata and batch pass."""
    longest = replace(
        said("x" * (32 * 1024), by="c" * 256, contributor_name="n" * 256, session="s" * 256, external_id="e" * 256, source="q" * 256),
        metadata=tuple((f"{n:064d}", "v" * 2048) for n in range(32)),
        occurred_at=datetime(2026, 3, 1, tzinfo=UTC),
    )
    batch = [longest, *(said(f"Line {number}.") for number in range(499))]
    answer = await services.remember(batch, space=space, wait=Wait.STORED, actor="tester")
    assert [one.text for one in answer.episodes] == [one.text for one in batch]
    assert answer.episodes[0].metadata == longest.metadata
    with pytest.raises(TooLarge) as refused:
        await services.remember([*batch, said("One more.")], space=space, wait=Wait.STORED, actor="tester")
    assert refused.value.field == "episodes"
    with pytest.raises(InvalidInput) as empty:
        await services.remember([], space=space, wait=Wait.STORED, actor="tester")
    assert empty.value.field == "episodes"
    assert await count(services.store, "Episode", space=space) == 500


@pytest.mark.parametrize("name", ["", "Upper", "a b", "ä", "-a", "a" * 64, "a`b", "a\n", "words_x' OR 1=1", "../x"])
async def test_a_space_with_a_bad_name_is_refused_everywhere(services: Services, name: str) -> None:
    """A29: a space's name becomes a label and an index name. Control: a good one passes."""
    from consilience.schema.checks import check_space
    from tests.acceptance.saying import ask

    check_space("a-good_name-2")
    for attempt in (
        services.remember([GOOD], space=name, wait=Wait.STORED, actor="tester"),
        services.register_source("k", space=name, channel="user_input", trust=None, actor="tester"),
        ask(services, name, "anything"),
    ):
        with pytest.raises(InvalidInput) as refused:
            await attempt
        assert refused.value.field == "space"


@pytest.mark.parametrize("trust", [-0.1, 0.51, 1.0, float("nan"), float("inf")])
async def test_a_source_cannot_be_worth_more_than_its_channel(services: Services, space: str, trust: float) -> None:
    """S50: refused with its field. Control: at the ceiling and below it is registered."""
    with pytest.raises(InvalidInput) as refused:
        await services.register_source("k", space=space, channel="user_input", trust=trust, actor="tester")
    assert refused.value.field == "trust"
    assert space not in {one.name for one in await services.list_spaces()}
    assert (await services.register_source("k", space=space, channel="user_input", trust=0.5, actor="tester")).trust == 0.5
    assert (await services.register_source("k", space=space, channel="made_up", trust=None, actor="tester")).trust == 0.2
