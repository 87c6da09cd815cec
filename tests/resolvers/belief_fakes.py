"""Stand-ins for reading beliefs, for the mechanics of the edge only: what is really believed is tested on Neo4j elsewhere."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TypeVar

from consilience.schema.audit import Act, AuditEvent
from consilience.schema.beliefs import ConflictState, Decision, EntityName, Grounds, StoredFact
from consilience.schema.domain import Page, Status
from consilience.store.facts import StoredConflict, StoredSupersession

AT = datetime(2026, 3, 1, 9, 30, tzinfo=UTC)
GROUNDS = Grounds("It was said later.", (0.7, 0.7), (1.0, 0.5), (0.5, 0.5), "time")
T = TypeVar("T")


def a_fact(number: int = 1, *, value: str = "Lyon", status: Status = Status.ACTIVE, space: str = "default", origins: int = 1) -> StoredFact:
    return StoredFact(
        id=f"fact_{number}",
        space=space,
        slot="slot_1",
        subject=EntityName("ent_1", "Ana"),
        predicate="lives_in",
        value=value,
        value_key=value.lower(),
        negated=False,
        run=0,
        text=f"I live in {value}.",
        status=status,
        confidence=0.7,
        trust=0.7,
        reliability=0.7,
        freshness=1.0,
        consistency=0.5,
        recorded_at=AT,
        valid_from=AT,
        valid_to=None,
        events=origins,
        origins=origins,
        contributors=origins,
        needed=1,
        first_at=AT,
        last_at=AT,
        suspect=(),
        reason="",
    )


def a_conflict(*sides: str, state: ConflictState = ConflictState.OPEN) -> StoredConflict:
    return StoredConflict("conf_1", EntityName("ent_1", "Ana"), "lives_in", state, AT, None, None, sides)


def a_page(nodes: Sequence[T], *, first: int, after: str | None, key: Callable[[T], str]) -> Page[T]:
    """The nodes after a cursor, in order of their keys."""
    ordered = sorted(nodes, key=key)
    left = [one for one in ordered if after is None or key(one) > after]
    shown = tuple(left[:first])
    return Page(shown, len(ordered), key(shown[-1]) if shown else None, len(left) > first)


def _unheard(name: str, value: object = None) -> None:
    del name, value


@dataclass
class FakeBeliefs:
    """`rests_on`: fact id -> episode ids. Every call is told to `note`."""

    facts: Sequence[StoredFact] = ()
    rests_on: Mapping[str, Sequence[str]] = field(default_factory=dict[str, Sequence[str]])
    hidden_episodes: Sequence[str] = ()
    supersessions: Sequence[StoredSupersession] = ()
    conflicts: Sequence[StoredConflict] = ()
    decisions: Sequence[Decision] = ()
    note: Callable[[str, object], None] = _unheard

    def _shown(self, hidden: Sequence[Status]) -> list[StoredFact]:
        return [fact for fact in self.facts if fact.status not in hidden]

    async def list_facts(self, ids: Sequence[str], *, space: str) -> Mapping[str, StoredFact]:
        self.note("list_facts", (tuple(ids), space))
        return {fact.id: fact for fact in self.facts if fact.id in ids and fact.space == space}

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
        self.note("page_facts", (space, subject, predicate, tuple(statuses), contributor, first, after))
        found = [fact for fact in self.facts if fact.space == space and fact.status in statuses]
        return a_page(found, first=first, after=after, key=lambda fact: fact.id)

    async def page_about(
        self, entity_ids: Sequence[str], *, space: str, statuses: Sequence[Status], first: int, after: str | None
    ) -> Mapping[str, Page[str]]:
        self.note("page_about", (tuple(entity_ids), space))
        return {
            entity: a_page(
                [fact.id for fact in self.facts if fact.subject.id == entity and fact.status in statuses], first=first, after=after, key=str
            )
            for entity in entity_ids
        }

    async def page_evidence(
        self, fact_ids: Sequence[str], *, space: str, hidden: Sequence[Status], first: int, after: str | None
    ) -> Mapping[str, Page[str]]:
        self.note("page_evidence", (tuple(fact_ids), space, tuple(hidden)))
        gone = self.hidden_episodes if Status.QUARANTINED in hidden else ()
        return {
            id_: a_page([one for one in self.rests_on.get(id_, ()) if one not in gone], first=first, after=after, key=str)
            for id_ in fact_ids
        }

    async def page_beliefs(
        self, episode_ids: Sequence[str], *, space: str, hidden: Sequence[Status], first: int, after: str | None
    ) -> Mapping[str, Page[str]]:
        self.note("page_beliefs", (tuple(episode_ids), space))
        return {
            episode: a_page(
                [fact.id for fact in self._shown(hidden) if episode in self.rests_on.get(fact.id, ())], first=first, after=after, key=str
            )
            for episode in episode_ids
        }

    async def list_supersessions(self, fact_ids: Sequence[str], *, space: str) -> Mapping[str, Sequence[StoredSupersession]]:
        self.note("list_supersessions", (tuple(fact_ids), space))
        return {id_: [one for one in self.supersessions if id_ in (one.winner, one.loser)] for id_ in fact_ids}

    async def list_conflicts_of(self, fact_ids: Sequence[str], *, space: str) -> Mapping[str, Sequence[str]]:
        self.note("list_conflicts_of", (tuple(fact_ids), space))
        return {id_: [one.id for one in self.conflicts if id_ in one.sides] for id_ in fact_ids}

    async def list_conflicts(self, ids: Sequence[str], *, space: str) -> Mapping[str, StoredConflict]:
        self.note("list_conflicts", (tuple(ids), space))
        return {one.id: one for one in self.conflicts if one.id in ids}

    async def page_conflicts(
        self, *, space: str, state: ConflictState | None, about: str | None, first: int, after: str | None
    ) -> Page[str]:
        self.note("page_conflicts", (space, state, about, first, after))
        return a_page([one.id for one in self.conflicts if state in (None, one.state)], first=first, after=after, key=str)

    async def page_reviews(self, *, space: str, first: int, after: str | None) -> Page[str]:
        self.note("page_reviews", (space, first, after))
        waiting = [fact.id for fact in self.facts if fact.status in (Status.CANDIDATE, Status.TO_VERIFY, Status.QUARANTINED)]
        return a_page(waiting, first=first, after=after, key=str)

    async def list_aliases(self, entity_ids: Sequence[str], *, space: str) -> Mapping[str, Sequence[str]]:
        self.note("list_aliases", (tuple(entity_ids), space))
        return {key: ["ana duarte"] for key in entity_ids}

    async def list_decisions(self, slot_ids: Sequence[str], *, space: str) -> Mapping[str, Sequence[Decision]]:
        self.note("list_decisions", (tuple(slot_ids), space))
        return dict.fromkeys(slot_ids, self.decisions)

    async def list_events(self, *, space: str, first: int, after: int) -> Page[AuditEvent]:
        self.note("list_events", (space, first, after))
        act = Act("local", "FACT_ACTIVE", "fact_1", "settled", None, 0.7)
        left = [AuditEvent(seq, AT, act, f"{seq:064x}") for seq in (1, 2, 3) if seq > after]
        shown = tuple(left[:first])
        return Page(shown, 0, str(shown[-1].seq) if shown else None, len(left) > first)
