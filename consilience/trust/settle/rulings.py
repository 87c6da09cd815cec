"""What people decided in a slot, brought together: the latest word on each claim binds the evidence up to its time."""

from dataclasses import dataclass, field, replace
from datetime import datetime

from consilience.schema.beliefs import Decision, DecisionKind
from consilience.trust.settle.runs import Ruling, Run
from consilience.trust.settle.votes import Claim, Scene


@dataclass(frozen=True, slots=True)
class Rulings:
    """`winners` stand, `refusals` fell; each oldest first. Immutable: `with_ruling` gives the next."""

    winners: tuple[Ruling, ...] = ()
    refusals: tuple[Ruling, ...] = ()
    removed: frozenset[str] = field(init=False)
    released: frozenset[str] = field(init=False)
    rejected: dict[Claim, datetime] = field(init=False)

    def __post_init__(self) -> None:
        set_once = object.__setattr__  # derived fields of a frozen value
        set_once(self, "removed", frozenset[str]().union(*(ruling.statements for ruling in self.refusals)))
        set_once(self, "released", frozenset[str]().union(*(ruling.statements for ruling in self.winners)))
        set_once(self, "rejected", {ruling.claim: ruling.decision.at for ruling in self.refusals})

    @property
    def confirmed(self) -> list[tuple[datetime, Claim]]:
        """Claims that count as verified, and since when."""
        return [(ruling.at, ruling.claim) for ruling in self.winners if ruling.decision.kind is DecisionKind.CONFIRM]

    def with_ruling(self, ruling: Ruling, *, scene: Scene) -> "Rulings":
        """One more, later than all before: it overrules what is about the same statements, a winner also the winners it contradicts."""
        refusal = ruling.decision.kind is DecisionKind.REJECT
        winners = tuple(
            known
            for known in self.winners
            if not known.statements & ruling.statements
            and (refusal or not (known.claim == ruling.claim or scene.rival(known.claim, ruling.claim)))
        )
        refusals = tuple(
            left for known in self.refusals if (left := replace(known, statements=known.statements - ruling.statements)).statements
        )
        if refusal:
            return Rulings(winners, (*refusals, ruling))
        return Rulings((*winners, ruling), tuple(known for known in refusals if known.claim != ruling.claim))


def ruling_of(decision: Decision, *, runs: list[Run]) -> Ruling | None:
    """The decision with the statements its key means; None if nothing has that key any more: it lapsed with its evidence."""
    said = Claim(decision.value_key, decision.negated)
    found = next((run for run in runs if run.claim == said and run.number == decision.run), None)
    if found is None:
        return None
    known = found.everything
    bound = [vote for vote in known if vote.at <= decision.at] or known
    return Ruling(decision, said, frozenset(vote.statement for vote in bound), max(decision.at, min(vote.at for vote in bound)))
