"""BEAM 100K: does newer evidence stand above older, and is a contradiction shown? Questions about knowledge updates and contradictions.

One space a conversation, user and assistant as contributors, messages in their order; a message over the service's size is cut at
paragraphs, and any piece stands for it. Over the first ten hits: `newer_above_older` is the share of questions where a message with the
newer statement, or a belief resting on one, comes before every one with the older (not found counts as no). Questions whose two
statements stand in one message have no such order and are left out there. `conflict_shown`: share of the contradiction questions for
which an entry of `conflicts` has one side resting on either statement and another side on the other.
The constants were tuned on conversations 1-5 (`tuned`); 6-20 (`rest`) were only reported.
"""

import asyncio
from collections.abc import AsyncIterator, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from bench.corpora.beam import CONTRADICTION, UPDATE, Asked, Conversation, Message, load
from bench.harness import Options, Result, options, publish, say, service
from bench.measures import mean, recall_at, share
from bench.served import Origins, ask, store
from consilience.client import Client
from consilience.client.answers import read_as
from consilience.schema.domain import NewEpisode, Role

NAME: Final = "beam"
TUNED_ON: Final = 5
DEPTH: Final = 10
LONGEST: Final = 8_000  # characters of one episode; the service takes 32 KiB
PAGE: Final = 50
CONFLICTS: Final = """
query Sides($space: String!, $first: Int!, $after: Cursor) {
  conflicts(space: $space, first: $first, after: $after) {
    nodes { sides { fact { evidence(first: 10) { nodes { externalId contributor { externalId } } } } } }
    pageInfo { hasNextPage endCursor }
  }
}
"""


@dataclass(frozen=True, slots=True)
class _Fact:
    evidence: Origins


@dataclass(frozen=True, slots=True)
class _Side:
    fact: _Fact


@dataclass(frozen=True, slots=True)
class _Conflict:
    sides: tuple[_Side, ...]


@dataclass(frozen=True, slots=True)
class _PageEnd:
    has_next_page: bool
    end_cursor: str | None


@dataclass(frozen=True, slots=True)
class _Page:
    nodes: tuple[_Conflict, ...]
    page_info: _PageEnd


Sides = tuple[frozenset[int], ...]  # the messages under each side of a conflict


@dataclass(frozen=True, slots=True)
class Answered:
    """`newer`: None where there is no order; `shown`: None for updates."""

    conversation: int
    ability: str
    r_at_10: float | None
    newer: bool | None
    shown: bool | None


def main() -> None:
    opts = options(NAME)
    conversations = load(opts.data)[: opts.limit]
    with service(opts) as url:
        publish(asyncio.run(measure(url, conversations, opts)), opts)


async def measure(url: str, conversations: Sequence[Conversation], opts: Options) -> Result:
    """Remembers each conversation, then asks its questions."""
    answered: list[Answered] = []
    async with Client(url) as client:
        for conversation in conversations:
            space = f"beam-{conversation.index}"
            await store(client, as_episodes(conversation), space=space)
            conflicts = [sides async for sides in _conflicts(client, space)]
            answered += [await _ask(client, conversation, asked, conflicts, space=space) for asked in conversation.asked]
            done = summary([one for one in answered if one.conversation == conversation.index])
            say(f"conversation {conversation.index}: {len(conversation.messages)} messages, {len(conflicts)} conflicts, {done}")
    by = {
        "ability": {name: summary([one for one in answered if one.ability == name]) for name in (UPDATE, CONTRADICTION)},
        "split": {
            name: summary(some)
            for name, some in (
                ("tuned", [one for one in answered if one.conversation <= TUNED_ON]),
                ("rest", [one for one in answered if one.conversation > TUNED_ON]),
            )
            if some
        },
    }
    return Result(NAME, opts.seed, len(answered), summary(answered), by)


def as_episodes(conversation: Conversation) -> list[NewEpisode]:
    """The messages as an application would send them; the pieces of a long one are its id with a number behind."""
    return [
        NewEpisode(
            piece,
            "user" if message.user else "assistant",
            role=Role.USER if message.user else Role.ASSISTANT,
            session="chat",
            occurred_at=message.at,
            external_id=f"{message.id}/{number}",
        )
        for message in conversation.messages
        for number, piece in enumerate(pieces(message))
    ]


def pieces(message: Message) -> Iterator[str]:
    """The text in pieces of at most LONGEST characters, cut at blank lines, else at lines, else anywhere; none for a blank one."""
    rest = message.text.strip()
    while len(rest) > LONGEST:
        cut = next((at for mark in ("\n\n", "\n", " ") if (at := rest.rfind(mark, 1, LONGEST)) > LONGEST // 4), LONGEST)
        if rest[:cut].strip():
            yield rest[:cut]
        rest = rest[cut:].lstrip()
    if rest:
        yield rest


async def _ask(client: Client, conversation: Conversation, asked: Asked, conflicts: Sequence[Sides], *, space: str) -> Answered:
    hits = await ask(client, asked.question, space=space, first=DEPTH, asker="user")
    found = [frozenset(map(message_of, hit.episodes)) for hit in hits]
    contradiction = asked.ability == CONTRADICTION
    return Answered(
        conversation.index,
        asked.ability,
        evidence_recall(found, asked),
        newer_above(found, asked) if asked.ordered else None,
        shown(asked, conflicts) if contradiction else None,
    )


def message_of(external_id: str) -> int:
    """The message a piece belongs to."""
    return int(external_id.partition("/")[0])


def evidence_recall(found: Sequence[frozenset[int]], asked: Asked) -> float | None:
    """Share of the evidence messages among the hits; None of none."""
    right = [str(one) for one in sorted(asked.older | asked.newer)]
    messages = [str(one) for hit in found for one in sorted(hit)]
    return recall_at(messages, right, len(messages)) if right else None


def newer_above(found: Sequence[frozenset[int]], asked: Asked) -> bool:
    """The first hit with either side has the newer one. A belief with both stands for the newer: it holds since then."""
    first = next((hit for hit in found if hit & (asked.older | asked.newer)), frozenset[int]())
    return bool(first & asked.newer)


def shown(asked: Asked, conflicts: Sequence[Sides]) -> bool:
    """One conflict has both statements, on sides of their own."""
    return any(
        one & asked.older and other & asked.newer
        for sides in conflicts
        for at, one in enumerate(sides)
        for place, other in enumerate(sides)
        if at != place
    )


async def _conflicts(client: Client, space: str) -> AsyncIterator[Sides]:
    after: str | None = None
    while True:
        data = await client.execute(CONFLICTS, {"space": space, "first": PAGE, "after": after}, repeatable=True)
        page = read_as(_Page, data["conflicts"])
        for conflict in page.nodes:
            yield tuple(
                frozenset(message_of(one.external_id) for one in side.fact.evidence.nodes if one.external_id) for side in conflict.sides
            )
        if not page.page_info.has_next_page:
            return
        after = page.page_info.end_cursor


def summary(answered: Sequence[Answered]) -> dict[str, float]:
    """Shares in percent with their intervals; what does not apply to any question is left out."""
    recalls = [one.r_at_10 for one in answered if one.r_at_10 is not None]
    ordered = [one.newer for one in answered if one.newer is not None]
    contradictions = [one.shown for one in answered if one.shown is not None]
    found = {"r_at_10": 100 * mean(recalls)} if recalls else {}
    if ordered:
        measured = share(ordered, name="newer_above_older")
        half = (measured["newer_above_older_high"] - measured["newer_above_older_low"]) / 2
        found |= measured | {"newer_above_older_ci": half, "ordered_n": float(len(ordered))}
    if contradictions:
        found |= share(contradictions, name="conflict_shown")
    return found


if __name__ == "__main__":
    main()
