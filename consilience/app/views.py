"""What is believed, as the API reads it: names resolved to entities, then one query a level."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from consilience.schema.audit import AuditEvent
from consilience.schema.beliefs import ConflictState, Decision, StoredFact
from consilience.schema.domain import Page, Status
from consilience.store import audit, contributors, evidence, facts
from consilience.store.driver import Store
from consilience.store.facts import FactFilter, StoredConflict, StoredSupersession
from consilience.text.values import name_key


@dataclass(frozen=True, slots=True)
class Beliefs:
    """The reads behind resolvers.ports.BeliefPorts."""

    store: Store

    async def list_facts(self, ids: Sequence[str], *, space: str) -> Mapping[str, StoredFact]:
        return await facts.list_facts(self.store, space=space, ids=ids)

    async def page_facts(
        self,
        *,
        space: str,
        subject: str | None,
        predicate: str | None,
        statuses: Sequence[Status],
        contributor: str | None,
        first: int,
        after: str | None,
    ) -> Page[StoredFact]:
        subjects = None if subject is None else await self._named(subject, space=space)
        said_by = None if contributor is None else await self._contributor_id(contributor, space=space)
        wanted = FactFilter(tuple(statuses), predicate, subjects, said_by)
        return await facts.page_facts(self.store, space=space, wanted=wanted, first=first, after=after)

    async def page_about(
        self, entity_ids: Sequence[str], *, space: str, statuses: Sequence[Status], first: int, after: str | None
    ) -> Mapping[str, Page[str]]:
        return await evidence.page_about(self.store, space=space, ids=entity_ids, statuses=statuses, first=first, after=after)

    async def page_evidence(
        self, fact_ids: Sequence[str], *, space: str, hidden: Sequence[Status], first: int, after: str | None
    ) -> Mapping[str, Page[str]]:
        return await evidence.page_evidence(self.store, space=space, ids=fact_ids, hidden=hidden, first=first, after=after)

    async def page_beliefs(
        self, episode_ids: Sequence[str], *, space: str, hidden: Sequence[Status], first: int, after: str | None
    ) -> Mapping[str, Page[str]]:
        return await evidence.page_beliefs(self.store, space=space, ids=episode_ids, hidden=hidden, first=first, after=after)

    async def list_supersessions(self, fact_ids: Sequence[str], *, space: str) -> Mapping[str, Sequence[StoredSupersession]]:
        return await facts.supersessions(self.store, space=space, ids=fact_ids)

    async def list_conflicts_of(self, fact_ids: Sequence[str], *, space: str) -> Mapping[str, Sequence[str]]:
        return await facts.conflicts_of(self.store, space=space, ids=fact_ids)

    async def list_conflicts(self, ids: Sequence[str], *, space: str) -> Mapping[str, StoredConflict]:
        return await facts.list_conflicts(self.store, space=space, ids=ids)

    async def page_conflicts(
        self, *, space: str, state: ConflictState | None, about: str | None, first: int, after: str | None
    ) -> Page[str]:
        subjects = None if about is None else await self._named(about, space=space)
        return await facts.page_conflicts(self.store, space=space, state=state, subjects=subjects, first=first, after=after)

    async def page_reviews(self, *, space: str, first: int, after: str | None) -> Page[str]:
        return await facts.page_reviews(self.store, space=space, first=first, after=after)

    async def list_aliases(self, entity_ids: Sequence[str], *, space: str) -> Mapping[str, Sequence[str]]:
        found = await evidence.list_keys(self.store, space=space, ids=entity_ids)
        return {id_: [key for key in keys if key != name_key(name)] for id_, (name, keys) in found.items()}

    async def list_decisions(self, slot_ids: Sequence[str], *, space: str) -> Mapping[str, Sequence[Decision]]:
        return await evidence.list_decisions(self.store, space=space, slots=slot_ids)

    async def list_events(self, *, space: str, first: int, after: int) -> Page[AuditEvent]:
        """Events of the audit after that sequence number; `total` is not counted (0)."""
        found = await audit.list_events(self.store, space=space, first=first + 1, after=after)
        shown = tuple(found[:first])
        return Page(shown, 0, str(shown[-1].seq) if shown else None, len(found) > first)

    async def _named(self, name: str, *, space: str) -> tuple[str, ...]:
        """Ids of the entities meant by a name, or by a contributor's external id; none if nobody is."""
        by_name = await facts.entities_of(self.store, space=space, keys=[name_key(name)])
        return tuple(dict.fromkeys([*by_name, *await evidence.self_of(self.store, space=space, external_id=name)]))

    async def _contributor_id(self, external_id: str, *, space: str) -> str:
        """Their id; the empty string, which nobody has, if they are not here."""
        found = await contributors.find_contributor(self.store, space=space, external_id=external_id)
        return found.id if found else ""
