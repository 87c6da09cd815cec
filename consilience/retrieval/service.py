"""`recall`: candidates, use gate, ranking, then the best ones whole (S60, S61)."""

import asyncio
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

from consilience.embedding import Embedder
from consilience.errors import InvalidInput
from consilience.retrieval.collapse import collapse
from consilience.retrieval.cues import NO_CUES, Cues
from consilience.retrieval.planner import FEW, Plan, indexed, needs_count, plan
from consilience.retrieval.question import Question, analyse
from consilience.retrieval.ranking import Candidate, Neighbour, Ranked, rank
from consilience.retrieval.statistics import SpaceStatistics, Statistics
from consilience.schema.beliefs import StoredFact, Suspect
from consilience.schema.checks import check_key, check_space, check_text, check_time
from consilience.schema.domain import OPEN_END, OPEN_START, Episode, Hit, MemoryKind, Recall, Recollection, Risk, Status
from consilience.store.candidates import Filters, Found, Named, Wanted, count_matching, scan_exactly, search_indexes, search_named
from consilience.store.contributors import find_contributor
from consilience.store.driver import Store
from consilience.store.episodes import list_by_ids
from consilience.store.fact_candidates import FactsWanted, search_facts
from consilience.store.facts import entities_of, list_facts
from consilience.store.sessions import find_session
from consilience.store.spaces import check_embedder, find_space
from consilience.text.values import name_key
from consilience.text.words import query_words
from consilience.trust.channels import RISK_FLOOR

LONGEST_QUERY: Final = 8192  # characters
MOST_HITS: Final = 100
NOTHING: Final = Recall((), 0, 0, 0.0)


@dataclass(slots=True)
class Asked:
    """One question on its way: what was asked, taken apart, and where it may look."""

    recollection: Recollection
    question: Question
    filters: Filters
    vector: Sequence[float]
    named: Named | None  # whom it is about, where the caller says so
    dimensions: int


@dataclass(slots=True)
class Retrieval:
    """The read use case. One per process."""

    store: Store
    embedder: Embedder
    statistics: Statistics
    clock: Callable[[], datetime]

    async def recall(self, asked: Recollection) -> Recall:
        """The best memories for a question; never WITHHELD ones, never any below the floor of the risk (S52).

        Raises InvalidInput, StoreUnavailable, CannotStart (vectors of another embedder). A space nobody wrote to has no hits.
        """
        started = time.perf_counter()
        check(asked)
        space = await find_space(self.store, space=asked.space)
        if space is None:
            return NOTHING
        check_embedder(space, embedder=self.embedder.id, dimensions=self.embedder.dimensions)
        known = await self.statistics.of(asked.space)
        filters = await self._filters(asked, known)
        if filters is None:
            return NOTHING
        question = analyse(asked.query, people=known.people, asker=await self._person(asked.asker, known, space=asked.space))
        vector = (await asyncio.to_thread(self.embedder.embed, [question.embed_text]))[0].tolist()
        person = await self._person(asked.about, known, space=asked.space)
        named = None if asked.about is None else Named(query_words(asked.about), person)
        looking = Asked(asked, question, filters, vector, named, space.dimensions)
        floor = RISK_FLOOR[asked.risk]
        (episodes, fewer), (facts, fewer_facts) = await asyncio.gather(
            self._episodes(looking, floor=floor), self._facts(looking, floor=floor)
        )
        found = collapse([*episodes, *facts])
        # What is in dispute is served at LOW risk only (design §4).
        settled = found if asked.risk is Risk.LOW else [one for one in found if Suspect.DISPUTED not in one.suspect]
        below, found = fewer + fewer_facts + len(found) - len(settled), settled
        ranked = rank(
            question, [_candidate(one) for one in found], known.words, now=self.clock(), first=asked.first, recency=asked.as_of is None
        )
        hits = await self._whole(asked.space, ranked, suspect={one.id: one.suspect for one in found})
        return Recall(hits, below, 0, (time.perf_counter() - started) * 1000)

    async def _filters(self, asked: Recollection, known: SpaceStatistics) -> Filters | None:
        """External ids as the store's; None if nothing can match: one of them names nothing here, or only WITHHELD was asked for."""
        contributor = await self._person(asked.contributor, known, space=asked.space)
        session = await find_session(self.store, space=asked.space, external_id=asked.session) if asked.session is not None else None
        if (asked.contributor is not None and contributor is None) or (asked.session is not None and session is None):
            return None
        statuses = tuple(status for status in dict.fromkeys(asked.statuses or (Status.ACTIVE,)) if status is not Status.WITHHELD)
        if not statuses:
            return None
        return Filters(asked.space, statuses, contributor, session.id if session else None, asked.since, asked.until, asked.as_of)

    async def _person(self, external_id: str | None, known: SpaceStatistics, *, space: str) -> str | None:
        """The id of a contributor by the caller's own id. One who spoke a moment ago stands in the store only."""
        if external_id is None or external_id in known.ids:
            return known.ids.get(external_id or "")
        found = await find_contributor(self.store, space=space, external_id=external_id)
        return found.id if found else None

    async def _facts(self, asked: Asked, *, floor: float) -> tuple[list[Found], int]:
        """Facts at or above the floor, and how many were cut.

        A question about an earlier time is answered from what was said up to then: facts are of now.
        """
        recollection, filters = asked.recollection, asked.filters
        if (recollection.kinds and MemoryKind.FACT not in recollection.kinds) or filters.as_of is not None:
            return [], 0
        about = (
            None if recollection.about is None else await entities_of(self.store, space=filters.space, keys=[name_key(recollection.about)])
        )
        wanted = FactsWanted(
            space=filters.space,
            vector=asked.vector,
            lookup=asked.question.lookup,
            statuses=filters.statuses,
            floor=0.0,
            since=filters.since or OPEN_START,
            until=filters.until or OPEN_END,
            contributor=filters.contributor,
            session=filters.session,
            entities=about,
        )
        found = await search_facts(self.store, wanted=wanted, dimensions=asked.dimensions)
        served = [one for one in found if one.trust >= floor]
        return served, len(found) - len(served)

    async def _episodes(self, asked: Asked, *, floor: float) -> tuple[list[Found], int]:
        """Episodes at or above the floor, and how many were cut. If the cut leaves too few, the floor goes into the search."""
        if asked.recollection.kinds and MemoryKind.EPISODE not in asked.recollection.kinds:
            return [], 0
        found = await self._look(asked)
        served = [one for one in found if one.trust >= floor]
        below = len(found) - len(served)
        if below and len(served) < asked.recollection.first:
            served = await self._look(replace(asked, filters=replace(asked.filters, floor=floor)))
        return served, below

    async def _look(self, asked: Asked) -> list[Found]:
        filters, first = asked.filters, asked.recollection.first
        if asked.named is not None:
            if not indexed(filters):
                return await scan_exactly(self.store, filters=filters, vector=asked.vector, limit=FEW, named=asked.named)
            return await search_named(self.store, filters=filters, vector=asked.vector, named=asked.named, limit=FEW, least=first)
        matching = await count_matching(self.store, filters=filters, limit=FEW + 1) if needs_count(filters) else None
        chosen = plan(filters, matching=matching, first=first)
        found = [] if chosen.exact else await self._search(asked, chosen)
        # The index is approximate: where it gives too few, what exists is read instead.
        return found if len(found) >= first else await scan_exactly(self.store, filters=filters, vector=asked.vector, limit=FEW)

    async def _search(self, asked: Asked, chosen: Plan) -> list[Found]:
        wanted = Wanted(asked.vector, asked.question.lookup, chosen.by_meaning, chosen.by_words, asked.question.speaker)
        return await search_indexes(self.store, filters=asked.filters, wanted=wanted, dimensions=asked.dimensions)

    async def _whole(self, space: str, ranked: Sequence[Ranked], *, suspect: Mapping[str, tuple[str, ...]]) -> tuple[Hit, ...]:
        """Hits with their memories; one that vanished meanwhile is left out."""
        ids = [one.candidate.id for one in ranked]
        episodes, facts = await asyncio.gather(
            list_by_ids(self.store, space=space, ids=[id_ for id_ in ids if id_.startswith("ep_")]),
            list_facts(self.store, space=space, ids=[id_ for id_ in ids if id_.startswith("fact_")]),
        )
        memories: dict[str, Episode | StoredFact] = {**episodes, **facts}
        present = [one for one in ranked if one.candidate.id in memories]
        return tuple(
            Hit(number, one.score, one.parts, memories[one.candidate.id], suspect[one.candidate.id])
            for number, one in enumerate(present, start=1)
        )


def check(asked: Recollection) -> None:
    """Raises InvalidInput for a question that cannot be asked, naming the field."""
    check_space(asked.space)
    if not asked.query.strip() or len(asked.query) > LONGEST_QUERY:
        raise InvalidInput(f"query must have 1 to {LONGEST_QUERY} characters that are not all blanks", field="query")
    check_text(asked.query, field="query")
    if not 1 <= asked.first <= MOST_HITS:
        raise InvalidInput(f"first must be 1 to {MOST_HITS}, got {asked.first}", field="first")
    for name in ("asker", "contributor", "about", "session"):
        if (value := getattr(asked, name)) is not None:
            check_key(value, field=name)
    for name, value in (("since", asked.since), ("until", asked.until), ("asOf", asked.as_of)):
        check_time(value, field=name)


def _candidate(found: Found) -> Candidate:
    around = found.around or (None,) * 4
    before = _cues(found.before_cues)
    neighbours = tuple(
        Neighbour(offset, words, before.question_share if offset == -1 else 0.0)
        for offset, words in zip((-2, -1, 1, 2), around, strict=True)
        if words
    )
    return Candidate(
        id=found.id,
        words=found.words,
        cosine=found.cosine,
        occurred_at=found.occurred_at,
        confidence=found.confidence,
        contributor_id=found.contributor,
        session_id=found.session or None,
        role=found.role,
        cues=_cues(found.cues),
        neighbours=neighbours,
        devalued=found.devalued,
    )


def _cues(marks: tuple[float, ...]) -> Cues:
    if len(marks) != 4:
        return NO_CUES
    return Cues(first_person=bool(marks[0]), question_share=marks[1], time=bool(marks[2]), place=bool(marks[3]))
