"""What a profile is made of: the contributor, the sessions they spoke in, the facts about them (S05)."""

from dataclasses import dataclass
from datetime import datetime
from typing import Final, LiteralString

from consilience.schema.domain import Contributor, Status
from consilience.schema.profiles import Trait
from consilience.store import rows
from consilience.store.driver import Row, Store
from consilience.store.rows import instant

# Sessions are counted no further than the highest stage asks for.
GET_ACQUAINTANCE: Final[LiteralString] = """
MATCH (p:Contributor {space: $space, externalId: $external_id})
RETURN p {.*} AS p, [(p)-[:SELF]->(x:Entity) | coalesce(x.sameAs, x.id)][0] AS self,
  size(COLLECT {
    MATCH (e:Episode {space: $space, contributor: p.id})
    WHERE e.session <> '' AND NOT e.status IN ['QUARANTINED', 'WITHHELD']
    RETURN DISTINCT e.session LIMIT $most
  }) AS sessions
"""
# What speaks for a fact is asked of the statements it rests on: their kind, and whether it is the contributor's own outright word.
LIST_TRAITS: Final[LiteralString] = """
MATCH (x:Entity {space: $space, id: $entity})<-[:ABOUT]-(s:Slot)<-[:IN_SLOT]-(f:Fact)
WHERE f.status IN ['ACTIVE', 'CANDIDATE', 'TO_VERIFY']
WITH s, f ORDER BY f.confidence DESC, f.id LIMIT $limit
RETURN f {.id, .predicate, .value, .status, .negated, .events, .validFrom, .validTo} AS f,
  EXISTS { MATCH (s)<-[:ON]-(d:Decision {kind: 'CONFIRM'}) WHERE d.valueKey = f.valueKey AND d.negated = f.negated } AS confirmed,
  COLLECT {
    MATCH (f)-[b:SUPPORTED_BY]->(e:Episode), (t:Statement {space: $space, id: b.statement})
    RETURN DISTINCT [t.kind, e.contributor = $contributor AND e.role = 'USER' AND t.explicit AND NOT t.hedged AND NOT t.vague]
  } AS voices
"""
MOST_TRAITS: Final = 1000


@dataclass(frozen=True, slots=True)
class Acquaintance:
    """A contributor, the entity that is them (None before anything was digested), and the sessions they spoke in, counted up to `most`."""

    contributor: Contributor
    self_entity: str | None
    sessions: int


async def find_acquaintance(store: Store, *, space: str, external_id: str, most: int) -> Acquaintance | None:
    """None if nobody has this external id here."""
    found = await store.read(GET_ACQUAINTANCE, space=space, external_id=external_id, most=most)
    return Acquaintance(rows.contributor(found[0]["p"]), found[0]["self"], int(found[0]["sessions"])) if found else None


async def list_traits(store: Store, *, space: str, self_entity: str, contributor: str, now: datetime) -> list[Trait]:
    """Facts about the contributor that stand or wait, the most believed first."""
    found = await store.read(LIST_TRAITS, space=space, entity=self_entity, contributor=contributor, limit=MOST_TRAITS)
    return [_trait(row, now=now) for row in found]


def _trait(row: Row, *, now: datetime) -> Trait:
    f = row["f"]
    return Trait(
        fact=f["id"],
        predicate=f["predicate"],
        value=f["value"],
        status=Status(f["status"]),
        negated=f["negated"],
        events=f["events"],
        current=instant(f["validFrom"]) <= now < instant(f["validTo"]),
        preference=any(kind == "PREFERENCE" for kind, _ in row["voices"]),
        outright=any(outright for kind, outright in row["voices"] if kind != "OUTBURST"),
        confirmed=row["confirmed"],
    )
