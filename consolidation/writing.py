"""From a settlement to the rows that change in the store. Pure but for new ids."""

import hashlib
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Final, cast

import rfc8785

from consilience.consolidation.spoken import spoken
from consilience.schema.audit import Act
from consilience.schema.beliefs import SettledFact, Settlement
from consilience.schema.domain import Status
from consilience.schema.ids import new_id
from consilience.store.slots import KnownFact, SlotRead, SlotWrite, fresh_fact_id
from consilience.text.words import words

# Statuses that stand in the indexes: recall serves ACTIVE memory.
SERVED: Final = frozenset({Status.ACTIVE})


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
        id_, properties = str(row["id"]), cast("dict[str, object]", row["properties"])
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
                    cast("float", properties["confidence"]),
                )
            )
    return acts + [Act(actor, "FACT_GONE", id_, "no evidence left", known[id_].confidence, None) for id_ in gone]
