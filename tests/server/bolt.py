"""Bolt from the tests' side: the probe a start is given, and one query."""

from typing import LiteralString

import neo4j
from neo4j.exceptions import DriverError, Neo4jError

from consilience.server.managed import Running


async def probe(uri: str, user: str, password: str) -> bool:
    """Whether this server answers a query with this password."""
    async with neo4j.AsyncGraphDatabase.driver(uri, auth=(user, password)) as driver:  # pyright: ignore[reportUnknownMemberType]  # its **config
        try:
            await driver.execute_query("RETURN 1")
        except (DriverError, Neo4jError):
            return False
    return True


async def ask(server: Running, query: LiteralString, **parameters: object) -> list[object]:
    """First column of the answer."""
    async with neo4j.AsyncGraphDatabase.driver(server.uri, auth=(server.user, server.password)) as driver:  # pyright: ignore[reportUnknownMemberType]
        answer = await driver.execute_query(query, parameters_=dict(parameters))
    return [record[0] for record in answer.records]
