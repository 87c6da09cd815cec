"""The only door to Neo4j: one driver, reads and writes with the driver's own retries, errors in our terms."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any, Final, LiteralString, TypeVar, cast

from neo4j import AsyncDriver, AsyncGraphDatabase, AsyncManagedTransaction, AsyncSession, Query, unit_of_work
from neo4j.exceptions import AuthError, ConfigurationError, DriverError, Neo4jError

from consilience.errors import CannotStart, StoreUnavailable

Row = dict[str, Any]  # stays inside store/: every wrapper turns rows into domain values
T = TypeVar("T")

# What the server answers when it is going down, coming up, out of memory or out of the time we gave it: the caller may repeat.
_TRANSIENT = ("Neo.TransientError.", "Neo.ClientError.Cluster.", "Neo.ClientError.Transaction.TransactionTimedOut")


# Times the timeout that a call may take with all its retries.
PATIENCE: Final = 3.0


@dataclass(frozen=True, slots=True)
class Store:
    """A database of a driver. `timeout_s` bounds each transaction on the server and the driver's retries."""

    driver: AsyncDriver
    database: str
    timeout_s: float

    async def read(self, query: LiteralString, **params: object) -> list[Row]:
        """All rows of one read query. Raises StoreUnavailable."""

        async def work(tx: AsyncManagedTransaction) -> list[Row]:
            return await fetch(tx, query, **params)

        return await self.read_with(work)

    async def write(self, query: LiteralString, **params: object) -> list[Row]:
        """All rows of one write query. Raises StoreUnavailable."""

        async def work(tx: AsyncManagedTransaction) -> list[Row]:
            return await fetch(tx, query, **params)

        return await self.write_with(work)

    def _session(self) -> AsyncSession:
        return self.driver.session(database=self.database)  # pyright: ignore[reportUnknownMemberType]  # its options are untyped

    @asynccontextmanager
    async def _patience(self) -> AsyncGenerator[None]:
        """Bounds a call with its retries on our side too: a server that stands still answers no timeout of its own."""
        try:
            async with asyncio.timeout(PATIENCE * self.timeout_s):
                yield
        except TimeoutError as error:
            raise StoreUnavailable(
                "Neo4j does not answer in time", hint="whether a write was done is not known; repeat it with its externalIds"
            ) from error

    async def read_with(self, work: Callable[[AsyncManagedTransaction], Awaitable[T]]) -> T:
        """Runs `work` in a read transaction; it may run more than once. Raises StoreUnavailable."""
        try:
            async with self._patience(), self._session() as session:
                return await session.execute_read(unit_of_work(timeout=self.timeout_s)(work))
        except (DriverError, Neo4jError) as error:
            raise translate(error) from error

    async def write_with(self, work: Callable[[AsyncManagedTransaction], Awaitable[T]]) -> T:
        """Runs `work` in a write transaction; it may run more than once, so it has no side effects. Raises StoreUnavailable."""
        try:
            async with self._patience(), self._session() as session:
                return await session.execute_write(unit_of_work(timeout=self.timeout_s)(work))
        except (DriverError, Neo4jError) as error:
            raise translate(error) from error

    async def run_schema(self, statement: str) -> list[Row]:
        """One schema or admin statement in its own transaction. `statement` is built from checked names only."""
        try:
            async with self._session() as session:
                return await (await session.run(Query(cast(LiteralString, statement)))).data()
        except (DriverError, Neo4jError) as error:
            raise translate(error) from error

    async def ping(self) -> bool:
        """True if a query is answered now; never raises."""
        try:
            async with self._session() as session:
                return bool(await (await session.run("RETURN 1 AS one")).data())
        except (DriverError, Neo4jError, OSError):
            return False

    async def check_credentials(self) -> None:
        """Raises CannotStart if the server answers but refuses user or password; anything else is no answer yet."""
        try:
            await self.driver.verify_connectivity()  # pyright: ignore[reportUnknownMemberType]
        except AuthError as error:
            raise translate(error) from error
        except (DriverError, Neo4jError, OSError):
            return

    async def close(self) -> None:
        await self.driver.close()


async def fetch(tx: AsyncManagedTransaction, query: LiteralString, **params: object) -> list[Row]:
    """All rows of one query of a transaction."""
    return await (await tx.run(query, params)).data()


def translate(error: DriverError | Neo4jError) -> Exception:
    """The driver's error in our terms; a programming error (syntax, constraint) stays itself.

    The message names the code only: server messages can quote values.
    """
    if isinstance(error, AuthError):
        return CannotStart("Neo4j refuses the user name or password", hint="check NEO4J_USERNAME and NEO4J_PASSWORD or NEO4J_PASSWORD_FILE")
    if isinstance(error, DriverError):
        return StoreUnavailable(f"Neo4j does not answer ({type(error).__name__})", hint="nothing was acknowledged; try again shortly")
    code = error.code or ""
    if error.is_retryable() or code.startswith(_TRANSIENT):
        return StoreUnavailable(f"Neo4j could not finish ({code})", hint="nothing was acknowledged; try again shortly")
    return error


def open_store(uri: str, *, user: str, password: str, database: str, timeout_s: float) -> Store:
    """A store on this address; nothing is contacted yet. Raises CannotStart for an address that cannot be one."""
    try:
        driver = AsyncGraphDatabase.driver(  # pyright: ignore[reportUnknownMemberType]  # its options are untyped
            uri,
            auth=(user, password),
            connection_timeout=5.0,
            connection_acquisition_timeout=timeout_s,
            max_transaction_retry_time=timeout_s,
            max_connection_pool_size=64,
            notifications_min_severity="OFF",
            telemetry_disabled=True,
            user_agent="consilience",
        )
    except (ConfigurationError, ValueError) as error:
        raise CannotStart("NEO4J_URI is not a Neo4j address", hint="for example bolt://127.0.0.1:7687") from error
    return Store(driver, database, timeout_s)


async def probe(uri: str, user: str, password: str) -> bool:
    """True if this address answers a query with these credentials (readiness of a managed server)."""
    store = open_store(uri, user=user, password=password, database="neo4j", timeout_s=5.0)
    try:
        return await store.ping()
    finally:
        await store.close()
