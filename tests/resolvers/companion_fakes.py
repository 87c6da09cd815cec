"""Stand-ins for identities, profiles and ends of sessions, for the mechanics of the edge only."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from consilience.schema.domain import Contributor, ContributorState, Session, Status
from consilience.schema.profiles import AnyMemory, IdentityCard, Outcome, Profile, RelationshipStage, SessionEnd, StoredSummary
from tests.resolvers.belief_fakes import AT, a_fact


def _unheard(name: str, value: object = None) -> None:
    del name, value


def a_summary(*, space: str = "default") -> StoredSummary:
    session = Session("ses_1", space, "monday", AT, AT)
    return StoredSummary("sum_1", space, session, "Ana: I live in Lyon.", Status.ACTIVE, 0.7, 0.5, AT, ("ep_1",))


@dataclass
class FakeCompanion:
    """Knows one agent (`helper`), one person (`ana`) and one session (`monday`). Every call is told to `note`."""

    cards: dict[str, IdentityCard] = field(default_factory=lambda: {"helper": IdentityCard("helper", "Hal", "helps", "I am Hal.")})
    note: Callable[[str, object], None] = _unheard

    async def set_identity(self, card: IdentityCard, *, space: str, actor: str) -> IdentityCard:
        self.note("set_identity", (card, space, actor))
        return card

    async def identity(self, agent: str, *, space: str) -> IdentityCard | None:
        self.note("identity", (agent, space))
        return self.cards.get(agent)

    async def profile(self, external_id: str, *, space: str) -> Profile | None:
        self.note("profile", (external_id, space))
        person = Contributor("con_1", space, external_id, None, ContributorState.ACTIVE, 0, AT)
        return Profile(person, "Annie", RelationshipStage.REGULAR, (a_fact(1, space=space),), (a_fact(2, space=space),))

    async def end_session(self, external_id: str, *, space: str, actor: str) -> SessionEnd:
        self.note("end_session", (external_id, space, actor))
        summary = a_summary(space=space)
        return SessionEnd(summary.session, summary, (a_fact(space=space),), ("buy milk",), ("I met Ben",))

    async def feedback(
        self, ids: Sequence[str], *, space: str, outcome: Outcome, note: str | None, hidden: Sequence[Status], actor: str
    ) -> Sequence[AnyMemory]:
        self.note("feedback", (tuple(ids), space, outcome, note, tuple(hidden), actor))
        return [a_fact(space=space)]

    async def pin(self, id_: str, *, space: str, pinned: bool, hidden: Sequence[Status], actor: str) -> Sequence[AnyMemory]:
        self.note("pin", (id_, space, pinned, tuple(hidden), actor))
        return [a_summary(space=space)]

    async def list_summaries(self, ids: Sequence[str], *, space: str) -> Mapping[str, StoredSummary]:
        self.note("list_summaries", (tuple(ids), space))
        return {one.id: one for one in [a_summary(space=space)] if one.id in ids}

    async def list_summaries_of(self, session_ids: Sequence[str], *, space: str) -> Mapping[str, StoredSummary]:
        self.note("list_summaries_of", (tuple(session_ids), space))
        return {one.session.id: one for one in [a_summary(space=space)] if one.session.id in session_ids}
