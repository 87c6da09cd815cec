"""Identity cards of agents: one a space and agent, written by administrators only, kept apart from what people say (S05, S53)."""

from datetime import datetime
from typing import Final, LiteralString

from neo4j import AsyncManagedTransaction

from consilience.schema.audit import Act
from consilience.schema.ids import new_id
from consilience.schema.profiles import IdentityCard
from consilience.store.audit import append_events
from consilience.store.driver import Row, Store

GET_IDENTITY: Final[LiteralString] = "MATCH (i:Identity {space: $space, agent: $agent}) RETURN i {.*} AS i"
LOCK_IDENTITY: Final[LiteralString] = """
MERGE (i:Identity {space: $space, agent: $agent})
SET i._lock = randomUUID()
WITH i
RETURN i {.*} AS i
"""
WRITE_IDENTITY: Final[LiteralString] = """
MATCH (i:Identity {space: $space, agent: $agent})
SET i.id = $id, i.recordedAt = $now, i.isProgram = true, i.name = $name, i.role = $role, i.introduction = $introduction, i.traits = $traits,
  i.hardRules = $hard_rules
"""


async def find_identity(store: Store, *, space: str, agent: str) -> IdentityCard | None:
    """The card of this agent, None if nobody has written one."""
    found = await store.read(GET_IDENTITY, space=space, agent=agent)
    return _card(found[0]["i"]) if found else None


async def write_identity(store: Store, *, space: str, card: IdentityCard, actor: str, now: datetime) -> None:
    """Writes the card with its audit event; the card that stands already is left as it is, without one."""

    async def work(tx: AsyncManagedTransaction) -> None:
        held = (await (await tx.run(LOCK_IDENTITY, space=space, agent=card.agent)).single(strict=True))["i"]
        known = held.get("id")
        if known is not None and _card(held) == card:
            return
        id_ = known or new_id("Identity")
        given = {
            "name": card.name,
            "role": card.role,
            "introduction": card.introduction,
            "traits": list(card.traits),
            "hard_rules": list(card.hard_rules),
        }
        await (await tx.run(WRITE_IDENTITY, given | {"space": space, "agent": card.agent, "id": id_, "now": now})).consume()
        await append_events(tx, space=space, now=now, acts=[Act(actor, "IDENTITY_SET", id_, "changed" if known else "new")])

    await store.write_with(work)


def _card(row: Row) -> IdentityCard:
    return IdentityCard(row["agent"], row["name"], row["role"], row["introduction"], tuple(row["traits"]), tuple(row["hardRules"]))
