"""Slots settled again: evidence read, the pure decision, what changed written (design §4). Nothing else changes a fact's status."""

import asyncio
import hashlib
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import combinations
from typing import Final

import rfc8785

from consilience.consolidation.aliases import represented
from consilience.consolidation.spoken import spoken
from consilience.embedding import Embedder
from consilience.errors import StoreUnavailable
from consilience.ingest.extraction import predicate_info
from consilience.schema.audit import Act
from consilience.schema.beliefs import SettledFact, Settlement, SlotEvidence, SlotShape
from consilience.schema.domain import Status
from consilience.schema.ids import new_id
from consilience.schema.statements import ALIAS_OF
from consilience.store.aliases import write_aliases
from consilience.store.driver import Store
from consilience.store.slots import KnownFact, SlotRead, SlotWrite, fresh_fact_id, read_slots, write_slots
from consilience.text.values import ValueKey, exclusive, name_key
from consilience.text.words import words
from consilience.trust.settle import settle

ROUNDS: Final = 8
# Beyond so many values of one slot, pairs that exclude each other are not looked for.
MOST_VALUES: Final = 64
# Statuses that stand in the indexes: recall serves ACTIVE memory.
SERVED: Final = frozenset({Status.ACTIVE})


@dataclass(frozen=True, slots=True)
class Settler:
    """Settles slots of the store."""

    store: Store
    embedder: Embedder
    clock: Callable[[], datetime]

    async def settle(self, *, space: str, slots: Sequence[str], actor: str = "digest") -> None:
        """Settles these slots until none has changed under our hands, and those that change by aliases that are believed then.

        Raises StoreUnavailable.
        """
        aliases = await self._settle(space=space, slots=slots, actor=actor)
        if aliases:
            moved = await write_aliases(
                self.store, space=space, slots=aliases, name_key=name_key, represent=represented, alias_of=ALIAS_OF, now=self.clock()
            )
            await self._settle(space=space, slots=moved, actor=actor)

    async def _settle(self, *, space: str, slots: Sequence[str], actor: str) -> list[str]:
        """The ids of those of the slots that say what else something is called."""
        todo = sorted(set(slots))
        aliases: set[str] = set()
        for _ in range(ROUNDS):
            if not todo:
                return sorted(aliases)
            now = self.clock()
            changed = [(read, self.settlement(read, now=now)) for read in await read_slots(self.store, space=space, ids=todo)]
            aliases |= {read.id for read, _ in changed if read.predicate == ALIAS_OF}
            plans = [plan for read, settlement in changed if (plan := plan_write(read, settlement, actor=actor)) is not None]
            vectors = await self._embed([text for plan in plans for text in plan.texts])
            writes = [plan.write(vectors) for plan in plans]
            todo = await write_slots(self.store, space=space, writes=writes, dimensions=self.embedder.dimensions, now=now)
        if todo:
            raise StoreUnavailable(f"{len(todo)} slots kept changing while they were settled", hint="the work is tried again")
        return sorted(aliases)

    def settlement(self, read: SlotRead, *, now: datetime) -> Settlement:
        """What the slot's evidence comes to. Pure."""
        return settle(SlotEvidence(shape(read), read.votes, read.decisions, exclusive_pairs(read)), now=now)

    async def _embed(self, texts: Sequence[str]) -> dict[str, list[float]]:
        wanted = sorted(set(texts))
        if not wanted:
            return {}
        vectors = await asyncio.to_thread(self.embedder.embed, wanted)
        return {text: vector.tolist() for text, vector in zip(wanted, vectors, strict=True)}


@dataclass(frozen=True, slots=True)
class PlannedWrite:
    """A slot's changes; the texts to embed are known before their vectors are."""

    base: SlotWrite
    texts: tuple[str, ...]

    def write(self, vectors: dict[str, list[float]]) -> SlotWrite:
        """The rows with their vectors."""
        facts = tuple({**row, "embedding": vectors.get(str(row["embed"]))} for row in self.base.facts)
        base = self.base
        return SlotWrite(
            base.id,
            base.version,
            facts,
            base.gone,
            base.support,
            base.supersessions,
            base.conflict,
            base.conflict_gone,
            base.quarantine,
            base.touched,
            base.acts,
        )


def shape(read: SlotRead) -> SlotShape:
    """The slot as settling sees it; what the predicate is comes from the extraction's table."""
    info = predicate_info(read.predicate)
    return SlotShape(read.id, read.subject, read.predicate, read.arity, info.personal, info.costly, info.half_life, read.owner)


def exclusive_pairs(read: SlotRead) -> frozenset[tuple[str, str]]:
    """Pairs of values in the slot that cannot both hold: antonyms, members of one exclusive group."""
    keys = sorted({vote.value_key for vote in read.votes})
    if len(keys) > MOST_VALUES:
        return frozenset()
    return frozenset((a, b) for a, b in combinations(keys, 2) if exclusive(ValueKey(a, False), ValueKey(b, False)))


def plan_write(read: SlotRead, settlement: Settlement, *, actor: str) -> PlannedWrite | None:
    """What has to be written for the slot to stand as settled; None if it does already. Pure but for new ids."""
    ids = match_ids(read.facts, settlement.facts)
    known = {fact.id: fact for fact in read.facts}
    rows = [_fact_row(read, fact, settlement, ids) for fact in settlement.facts]
    fresh = [row for row in rows if row["id"] not in known or known[str(row["id"])].settled != row["settled"]]
    gone = tuple(sorted(known.keys() - {str(row["id"]) for row in rows}))
    conflict = _conflict_row(read, settlement, ids)
    conflict_gone = read.conflict if conflict is None else None
    quarantine = _quarantine_rows(read, settlement)
    if not fresh and not gone and conflict_gone is None and not quarantine:
        return None
    written = {str(row["id"]) for row in fresh}
    changed = [fact for fact in settlement.facts if ids[fact.key.text] in written]
    base = SlotWrite(
        id=read.id,
        version=read.version,
        facts=tuple(fresh),
        gone=gone,
        support=tuple(_support_rows(read, changed, ids)),
        supersessions=tuple(row for row in _supersession_rows(settlement, ids) if row["winner"] in written),
        conflict=conflict,
        conflict_gone=conflict_gone,
        quarantine=tuple(quarantine),
        touched=tuple(sorted({episode for fact in read.facts for episode in fact.episodes})),
        acts=tuple(_acts(fresh, gone, known, actor=actor)),
    )
    return PlannedWrite(base, tuple(str(row["embed"]) for row in fresh if row["served"]))


def match_ids(known: Sequence[KnownFact], settled: Sequence[SettledFact]) -> dict[str, str]:
    """Fact key -> id: the one it had; else that of a known run of the same value with most episodes in common; else a new one. Pure."""
    by_key = {fact.key: fact.id for fact in known}
    ids = {fact.key.text: by_key[fact.key.text] for fact in settled if fact.key.text in by_key}
    free = [fact for fact in known if fact.id not in ids.values()]
    for fact in settled:
        if fact.key.text in ids:
            continue
        same = [
            one for one in free if one.key.rsplit("|", 1)[0] == fact.key.text.rsplit("|", 1)[0] and set(one.episodes) & set(fact.episodes)
        ]
        best = max(same, key=lambda one: (len(set(one.episodes) & set(fact.episodes)), one.id), default=None)
        if best is not None:
            free.remove(best)
        ids[fact.key.text] = best.id if best is not None else fresh_fact_id()
    return ids


def _fact_row(read: SlotRead, fact: SettledFact, settlement: Settlement, ids: dict[str, str]) -> dict[str, object]:
    measures, support = fact.measures, fact.support
    properties: dict[str, object] = {
        "slot": read.id,
        "subject": read.subject,
        "predicate": read.predicate,
        "key": fact.key.text,
        "valueKey": fact.key.value_key,
        "negated": fact.key.negated,
        "run": fact.key.run,
        "value": fact.display,
        "text": fact.text,
        "words": words(fact.text),
        "status": fact.status.value,
        "confidence": fact.confidence,
        "trust": measures.trust,
        "reliability": measures.reliability,
        "freshness": measures.freshness,
        "consistency": measures.consistency,
        "standing": fact.standing,
        "validFrom": fact.valid_from,
        "validTo": fact.valid_to,
        "suspect": [suspect.value for suspect in fact.suspect],
        "reason": fact.reason,
        "events": support.events,
        "origins": support.origins,
        "contributors": support.contributors,
        "needed": support.needed,
        "firstAt": support.first_at,
        "lastAt": support.last_at,
        "occurredAt": support.last_at,
        "contributor": "",
        "session": "",
        "role": "USER",
    }
    replaced = sorted(
        f"{one.winner.text}>{one.loser.text}@{one.at.isoformat()}" for one in settlement.supersessions if one.winner == fact.key
    )
    in_conflict = settlement.conflict is not None and fact.key in settlement.conflict.sides
    content = {name: str(value) for name, value in properties.items()} | {
        "statements": ",".join(fact.statements),
        "replaced": ";".join(replaced),
    }
    content["conflict"] = settlement.conflict.state.value if in_conflict and settlement.conflict else ""
    settled = hashlib.sha256(rfc8785.dumps(content)).hexdigest()
    return {
        "id": ids[fact.key.text],
        "slot": read.id,
        "properties": properties | {"settled": settled},
        "settled": settled,
        "served": fact.status in SERVED,
        "embed": spoken(read.subject_name, fact.text),
    }


def _support_rows(read: SlotRead, facts: Sequence[SettledFact], ids: dict[str, str]) -> list[dict[str, object]]:
    votes = {vote.statement: vote for vote in read.votes}
    return [
        {"fact": ids[fact.key.text], "statement": statement, "episode": votes[statement].episode, "at": votes[statement].at}
        for fact in facts
        for statement in fact.statements
    ]


def _supersession_rows(settlement: Settlement, ids: dict[str, str]) -> list[dict[str, object]]:
    return [
        {
            "winner": ids[one.winner.text],
            "loser": ids[one.loser.text],
            "properties": {
                "at": one.at,
                "summary": one.grounds.summary,
                "reliability": list(one.grounds.reliability),
                "freshness": list(one.grounds.freshness),
                "consistency": list(one.grounds.consistency),
                "decidedBy": one.grounds.decided_by,
            },
        }
        for one in settlement.supersessions
    ]


def _conflict_row(read: SlotRead, settlement: Settlement, ids: dict[str, str]) -> dict[str, object] | None:
    conflict = settlement.conflict
    if conflict is None:
        return None
    properties: dict[str, object] = {
        "state": conflict.state.value,
        "openedAt": conflict.opened_at,
        "decidedBy": conflict.decided_by,
        "subject": read.subject,
        "predicate": read.predicate,
    }
    grounds = conflict.grounds  # without any, those of an earlier state of it are taken off
    properties |= {
        "summary": grounds.summary if grounds else None,
        "reliability": list(grounds.reliability) if grounds else None,
        "freshness": list(grounds.freshness) if grounds else None,
        "consistency": list(grounds.consistency) if grounds else None,
        "groundsBy": grounds.decided_by if grounds else None,
    }
    sides = [ids[side.text] for side in conflict.sides]
    return {"slot": read.id, "id": read.conflict or new_id("Conflict"), "properties": properties, "sides": sides}


def _quarantine_rows(read: SlotRead, settlement: Settlement) -> list[dict[str, object]]:
    before, after = set(read.quarantined), settlement.quarantined
    begun: list[dict[str, object]] = [{"id": id_, "reason": after[id_]} for id_ in sorted(after.keys() - before)]
    return begun + [{"id": id_, "reason": None} for id_ in sorted(before - after.keys())]


def _acts(fresh: Sequence[dict[str, object]], gone: Collection[str], known: dict[str, KnownFact], *, actor: str) -> list[Act]:
    acts: list[Act] = []
    for row in fresh:
        id_, properties = str(row["id"]), row["properties"]
        assert isinstance(properties, dict)
        before = known.get(id_)
        if before is None or before.status != properties["status"] or before.confidence != properties["confidence"]:
            reason = str(properties["reason"] or "settled")
            acts.append(
                Act(
                    actor,
                    f"FACT_{properties['status']}",
                    id_,
                    reason,
                    before.confidence if before else None,
                    float(properties["confidence"]),
                )
            )
    return acts + [Act(actor, "FACT_GONE", id_, "no evidence left", known[id_].confidence, None) for id_ in gone]
