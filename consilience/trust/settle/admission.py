"""What has to wait (S11, S12, S20): claims without enough independent support yet, by the reason and the number they still need.

One more agreeing vote never sends a claim back to waiting: each bar is asked of the votes it is about, and a claim that has met any of
them, or has a vote under no bar, is past them.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from consilience.schema.beliefs import Vote
from consilience.schema.statements import StatementKind
from consilience.trust.policy import Policy
from consilience.trust.settle.voices import support
from consilience.trust.settle.votes import Scene


@dataclass(frozen=True, slots=True)
class Bar:
    """What a claim must bring together before it is believed. `reason` is the code it waits with."""

    reason: str
    events: int
    origins: int


def _restriction(vote: Vote, *, policy: Policy) -> str:
    """Why this vote alone is not enough, by what it is; empty for an ordinary one."""
    if vote.trust < policy.trusted:
        if vote.instruction_like:
            return "INSTRUCTION"
        if vote.kind is StatementKind.PROCEDURE:
            return "PROCEDURE"
    return "PATTERN" if vote.kind is StatementKind.RULE else ""


def _meets(votes: Sequence[Vote], *, bar: Bar) -> bool:
    counted = support(votes, needed=bar.events)
    return counted.events >= bar.events and counted.origins >= bar.origins


def waits_for(votes: Sequence[Vote], *, scene: Scene, policy: Policy) -> Bar | None:
    """The bar these plain votes of one claim do not reach; None if they may be believed."""
    outright = any(scene.by_subject(vote) for vote in votes)
    costly = Bar("COSTLY", 1, policy.costly_sources)
    if scene.slot.costly and not outright and not _meets(votes, bar=costly):
        return costly
    restricted: dict[str, list[Vote]] = {}
    for vote in votes:
        restricted.setdefault(_restriction(vote, policy=policy), []).append(vote)
    if "" in restricted:
        return None
    missed: list[Bar] = []
    for reason, those in sorted(restricted.items()):
        about_self = reason == "PATTERN" and any(scene.by_subject(vote) for vote in those)
        bar = Bar(reason, policy.rule_events, 1 if about_self else policy.rule_origins)
        if _meets(those, bar=bar):
            return None
        missed.append(bar)
    return missed[0]
