"""What curators do: review, resolve, restore. Each writes a decision and settles the slot again; nobody sets a status by hand."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from consilience.consolidation.settling import Settler
from consilience.errors import InvalidInput, NotHere
from consilience.schema.beliefs import DecisionKind, StoredFact
from consilience.store.decisions import write_decision
from consilience.store.driver import Store
from consilience.store.facts import list_conflicts, list_facts


@dataclass(frozen=True, slots=True)
class Curation:
    """The use cases of the review queue and of the conflict view."""

    store: Store
    settler: Settler
    clock: Callable[[], datetime]

    async def review(self, *, space: str, item: str, confirm: bool, note: str | None, actor: str) -> list[StoredFact]:
        """Confirms or rejects what waits in the queue (`item`: its fact). Raises NotHere."""
        return await self._decide(
            space, item, DecisionKind.CONFIRM if confirm else DecisionKind.REJECT, note=note, actor=actor, field="item"
        )

    async def resolve(self, *, space: str, conflict: str, winner: str, note: str | None, actor: str) -> list[StoredFact]:
        """Decides a conflict for one of its sides. Raises NotHere, InvalidInput if the winner is none of them."""
        found = (await list_conflicts(self.store, space=space, ids=[conflict])).get(conflict)
        if found is None:
            raise NotHere("no conflict has this id here", hint="`conflicts` lists them", field="conflict")
        if winner not in found.sides:
            raise InvalidInput("the winner is not a side of this conflict", hint="give the id of one of its sides' facts", field="winner")
        return await self._decide(space, winner, DecisionKind.RESOLVE, note=note, actor=actor, field="winner")

    async def restore(self, *, space: str, fact: str, note: str | None, actor: str) -> list[StoredFact]:
        """Puts a superseded fact back in force. Raises NotHere."""
        return await self._decide(space, fact, DecisionKind.RESTORE, note=note, actor=actor, field="fact")

    async def _decide(self, space: str, fact: str, kind: DecisionKind, *, note: str | None, actor: str, field: str) -> list[StoredFact]:
        """Writes the decision, settles the slot, returns all its facts as they stand then, the one decided about first."""
        found = (await list_facts(self.store, space=space, ids=[fact])).get(fact)
        if found is None:
            raise NotHere("no fact has this id here", hint="`facts` and `reviewQueue` list them", field=field)
        await write_decision(
            self.store,
            space=space,
            slot=found.slot,
            kind=kind,
            value_key=found.value_key,
            negated=found.negated,
            run=found.run,
            actor=actor,
            note=note,
            target=fact,
            confidence=found.confidence,
            now=self.clock(),
        )
        await self.settler.settle(space=space, slots=[found.slot], actor=actor)
        return list((await list_facts(self.store, space=space, ids=[fact])).values())
