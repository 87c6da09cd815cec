"""The write gate (S51): what contradicts trusted records without being their like is quarantined, with the reason."""

from collections.abc import Iterable, Sequence
from datetime import datetime

from consilience.schema.beliefs import Vote
from consilience.schema.domain import OPEN_END
from consilience.trust.policy import Policy
from consilience.trust.settle.rulings import Rulings
from consilience.trust.settle.votes import Claim, Scene, claim, end_of, moment, weakness


def _records(votes: Sequence[Vote], *, rulings: Rulings, scene: Scene, policy: Policy) -> list[tuple[datetime, Claim, datetime]]:
    """What counts as trusted: (since, claim, until), oldest first: plain votes and confirmations."""
    said = [(vote.at, claim(vote), end_of(vote)) for vote in votes if scene.trust(vote) >= policy.trusted and not weakness(vote)]
    return sorted([*said, *((at, of, OPEN_END) for at, of in rulings.confirmed)])


class _InForce:
    """The trusted records in force while time goes on: a record yields to a later rival that is itself open-ended."""

    def __init__(self, scene: Scene) -> None:
        self._scene = scene
        self._records: dict[Claim, tuple[datetime, datetime]] = {}

    def add(self, record: tuple[datetime, Claim, datetime]) -> None:
        since, of, until = record
        if until == OPEN_END:
            for other in [known for known in self._records if self._scene.rival(known, of) and self._records[known][0] < since]:
                del self._records[other]
        self._records[of] = (since, max(until, self._records.get(of, (since, until))[1]))

    def against(self, vote: Vote) -> list[datetime]:
        """When the records began that this vote contradicts, being later."""
        said = claim(vote)
        known = self._records.items()
        return [since for of, (since, until) in known if self._scene.rival(of, said) and since < vote.at < until]


def gated(votes: Iterable[Vote], *, rulings: Rulings, scene: Scene, policy: Policy) -> dict[str, str]:
    """Statement id -> reason code, for the votes that stay outside.

    A vote under the bar that is later in valid time than a trusted rival in force, unless an equally trusted record of its own claim
    is not older than that rival; and a vote under the bar for what a person has rejected before, unless it is the subject's own
    outright word. What a person decided for is let through.
    """
    ordered = sorted(votes, key=moment)
    records = _records(ordered, rulings=rulings, scene=scene, policy=policy)
    backed: dict[Claim, datetime] = {of: since for since, of, _ in records}  # sorted: the last of each
    in_force, pending, reasons = _InForce(scene), iter(records), dict[str, str]()
    upcoming = next(pending, None)
    for vote in ordered:
        while upcoming is not None and upcoming[0] < vote.at:
            in_force.add(upcoming)
            upcoming = next(pending, None)
        if vote.statement in rulings.released or scene.trust(vote) >= policy.trusted:
            continue
        backing = backed.get(claim(vote))
        if any(backing is None or backing < since for since in in_force.against(vote)):
            reasons[vote.statement] = "CONTRADICTS_TRUSTED"
            continue
        rejected = rulings.rejected.get(claim(vote))
        outvoted = rejected is not None and rejected < vote.at and (backing is None or backing <= rejected)
        if outvoted and not scene.by_subject(vote):
            reasons[vote.statement] = "REJECTED_BEFORE"
    return reasons
