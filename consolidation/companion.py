"""Identities, profiles, the ends of sessions, and what came of use (S05, S10, S53, S63): the use cases around one agent and one person."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from consilience.consolidation.profiles import sketch
from consilience.consolidation.summaries import events_of, sum_up, todos_of
from consilience.errors import InvalidInput, NotHere, TooLarge
from consilience.schema.checks import check_key, check_text
from consilience.schema.domain import ContributorState, Status
from consilience.schema.profiles import AnyMemory, IdentityCard, Outcome, Profile, RelationshipStage, SessionEnd, StoredSummary
from consilience.store import endings, identities, profiles, uses
from consilience.store.driver import Store
from consilience.store.episodes import list_by_ids
from consilience.store.facts import list_facts
from consilience.store.sessions import find_session
from consilience.store.summaries import list_summaries, summaries_of
from consilience.trust.relationship import DEFAULT_STAGES, DEFAULT_USES, stage, weight_step

MOST_MEMORIES: Final = 100
MOST_LEARNED: Final = 100
MOST_LINES: Final = 32
LONGEST_LINE: Final = 1_000  # characters of a role, a trait, a rule, a remark
LONGEST_INTRODUCTION: Final = 4_000  # characters


@dataclass(frozen=True, slots=True)
class Companion:
    """`ensure_space` makes a space that nobody has used yet; `settled` waits until these episodes of a space are digested."""

    store: Store
    clock: Callable[[], datetime]
    ensure_space: Callable[[str], Awaitable[None]]
    settled: Callable[[str, Sequence[str]], Awaitable[None]]

    async def set_identity(self, card: IdentityCard, *, space: str, actor: str) -> IdentityCard:
        """Writes an agent's card. That only administrators may is the caller's check. Raises InvalidInput, TooLarge."""
        check_card(card)
        await self.ensure_space(space)
        await identities.write_identity(self.store, space=space, card=card, actor=actor, now=self.clock())
        return card

    async def identity(self, agent: str, *, space: str) -> IdentityCard | None:
        return await identities.find_identity(self.store, space=space, agent=agent)

    async def profile(self, external_id: str, *, space: str) -> Profile | None:
        """What is known of a contributor; None if nobody is called so here. Of one who is restricted or being erased nothing is used."""
        known = await profiles.find_acquaintance(self.store, space=space, external_id=external_id, most=DEFAULT_STAGES.trusted_sessions)
        if known is None:
            return None
        if known.self_entity is None or known.contributor.state is not ContributorState.ACTIVE:
            return Profile(known.contributor, None, RelationshipStage.NEW)
        traits = await profiles.list_traits(
            self.store, space=space, self_entity=known.self_entity, contributor=known.contributor.id, now=self.clock()
        )
        drawn = sketch(traits)
        facts = await list_facts(self.store, space=space, ids=[*drawn.preferences, *drawn.observing])
        return Profile(
            known.contributor,
            drawn.form_of_address,
            stage(known.sessions, facts=drawn.confirmed_facts),
            tuple(facts[id_] for id_ in drawn.preferences if id_ in facts),
            tuple(facts[id_] for id_ in drawn.observing if id_ in facts),
        )

    async def end_session(self, external_id: str, *, space: str, actor: str) -> SessionEnd:
        """Ends a session once all said in it is settled. Repeated, it changes nothing. Raises NotHere, StillSettling."""
        session = await find_session(self.store, space=space, external_id=external_id)
        if session is None:
            raise NotHere("no session has this id here", hint="it begins with the first episode that names it", field="session")
        await self.settled(space, await endings.list_waiting(self.store, space=space, session=session))
        told = await endings.list_said(self.store, space=space, session=session)
        await endings.write_ending(self.store, space=space, session=session, summary=sum_up(told), actor=actor, now=self.clock())
        learned = await endings.list_learned(self.store, space=space, session=session, limit=MOST_LEARNED)
        facts = await list_facts(self.store, space=space, ids=learned)
        ended = await find_session(self.store, space=space, external_id=external_id)
        summary = (await summaries_of(self.store, space=space, sessions=[session.id])).get(session.id)
        shown = None if summary is None or summary.status is Status.WITHHELD else summary
        return SessionEnd(ended or session, shown, tuple(facts[id_] for id_ in learned if id_ in facts), todos_of(told), events_of(told))

    async def feedback(
        self, ids: Sequence[str], *, space: str, outcome: Outcome, note: str | None, hidden: Sequence[Status], actor: str
    ) -> list[AnyMemory]:
        """Reports how memories that were used turned out; the memories as they stand. Raises InvalidInput, TooLarge, NotHere."""
        wanted = list(dict.fromkeys(ids))
        if not wanted:
            raise InvalidInput("no memories are named", hint="give the ids of those that were used", field="memories")
        if len(wanted) > MOST_MEMORIES:
            raise TooLarge(f"{len(wanted)} memories at once", hint=f"at most {MOST_MEMORIES}", field="memories")
        if note is not None:
            _check_line(note, longest=LONGEST_LINE, field="note")
        policy = DEFAULT_USES
        weighing = uses.Weighing(policy.initial, weight_step(outcome), policy.least, policy.most)
        await uses.write_use(
            self.store,
            space=space,
            memories=wanted,
            outcome=outcome,
            weighing=weighing,
            hidden=hidden,
            note=note,
            actor=actor,
            now=self.clock(),
        )
        return await self._memories(wanted, space=space)

    async def pin(self, id_: str, *, space: str, pinned: bool, hidden: Sequence[Status], actor: str) -> list[AnyMemory]:
        """Pins a memory, so that no collection takes it, or lets it go again. Raises NotHere."""
        await uses.pin(self.store, space=space, id_=id_, pinned=pinned, hidden=hidden, actor=actor, now=self.clock())
        return await self._memories([id_], space=space)

    async def list_summaries(self, ids: Sequence[str], *, space: str) -> Mapping[str, StoredSummary]:
        return await list_summaries(self.store, space=space, ids=ids)

    async def list_summaries_of(self, session_ids: Sequence[str], *, space: str) -> Mapping[str, StoredSummary]:
        return await summaries_of(self.store, space=space, sessions=session_ids)

    async def _memories(self, ids: Sequence[str], *, space: str) -> list[AnyMemory]:
        """Those that are here, in the order of the ids."""
        found: dict[str, AnyMemory] = {}
        found |= await list_facts(self.store, space=space, ids=ids)
        found |= await list_by_ids(self.store, space=space, ids=ids)
        found |= await list_summaries(self.store, space=space, ids=ids)
        return [found[id_] for id_ in ids if id_ in found]


def check_card(card: IdentityCard) -> None:
    """Raises InvalidInput or TooLarge for what is no identity card."""
    check_key(card.agent, field="agent")
    check_key(card.name, field="name")
    _check_line(card.role, longest=LONGEST_LINE, field="role")
    _check_line(card.introduction, longest=LONGEST_INTRODUCTION, field="introduction")
    for field, lines in (("traits", card.traits), ("hardRules", card.hard_rules)):
        if len(lines) > MOST_LINES:
            raise TooLarge(f"{len(lines)} {field}", hint=f"at most {MOST_LINES}", field=field)
        for number, line in enumerate(lines):
            _check_line(line, longest=LONGEST_LINE, field=f"{field}[{number}]")


def _check_line(text: str, *, longest: int, field: str) -> None:
    check_text(text, field=field)
    if not text.strip():
        raise InvalidInput(f"{field} is empty", field=field)
    if len(text) > longest:
        raise TooLarge(f"{field} has {len(text)} characters", hint=f"at most {longest}", field=field)
