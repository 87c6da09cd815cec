"""`status`, `doctor`, `jobs`: how the service and this machine are."""

from typing import TYPE_CHECKING, Annotated

import typer

from consilience.cli.console import print_json, run_async, stdout
from consilience.cli.options import Debug, Home, Json, Url
from consilience.schema.domain import JobState

if TYPE_CHECKING:
    from consilience.schema.domain import Job, ServiceStatus
    from consilience.server.checks import Check


def status(url: Url = None, home: Home = None, as_json: Json = False, debug: Debug = False) -> None:
    """Show the running service and its queue. Exit status 6 if it is not healthy."""
    from consilience.cli.background import service_url
    from consilience.cli.calling import client_of
    from consilience.cli.failing import UNHEALTHY
    from consilience.config import load_settings

    address = service_url(load_settings(home=home, url=url), start=False)

    async def ask() -> "ServiceStatus":
        async with client_of(address) as client:
            return await client.status()

    found = run_async(ask())
    if as_json:
        print_json({"url": address, "status": found})
    else:
        _show_status(found, address=address)
    if not found.healthy:
        raise typer.Exit(UNHEALTHY)


def _show_status(found: "ServiceStatus", *, address: str) -> None:
    from rich.table import Table

    table = Table.grid(padding=(0, 2))
    for name, value in (
        ("service", f"{address} (version {found.version})"),
        ("health", "healthy" if found.healthy else "NOT healthy: see `consilience doctor` and `consilience jobs`"),
        ("Neo4j", f"{found.neo4j}, GDS {found.gds}"),
        ("embedder", found.embedder),
        ("language model", found.llm or "none"),
        ("queue", f"{found.pending_jobs} waiting, {found.parked_jobs} parked, {found.dead_jobs} dead"),
    ):
        table.add_row(name, value)
    stdout().print(table)


def doctor(home: Home = None, as_json: Json = False, debug: Debug = False) -> None:
    """Check Python, Java, disk, ports, database, indexes and embedder, and say what to do. Exit status 6 if a check fails."""
    from consilience.app import doctor as examine
    from consilience.cli.failing import UNHEALTHY
    from consilience.config import load_settings

    checks = examine(load_settings(home=home))
    healthy = all(check.ok is not False for check in checks)
    if as_json:
        print_json({"healthy": healthy, "checks": checks})
    else:
        _show_checks(checks)
    if not healthy:
        raise typer.Exit(UNHEALTHY)


def _show_checks(checks: "list[Check]") -> None:
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False)
    for heading in ("", "check", "found", "what to do"):
        table.add_column(heading, overflow="fold")
    for check in checks:
        mark, style = {True: ("ok", "green"), False: ("FAILS", "bold red"), None: ("-", "dim")}[check.ok]
        table.add_row(Text(mark, style=style), Text(check.name), Text(check.found), Text(check.advice or ""))
    stdout().print(table)


def jobs(
    state: Annotated[
        JobState | None, typer.Option("--state", case_sensitive=False, help="Only jobs in this state.", show_default=False)
    ] = None,
    retry_dead: Annotated[bool, typer.Option("--retry-dead", help="Queue the dead jobs again, then list.")] = False,
    space: Annotated[str | None, typer.Option("--space", metavar="NAME", help="Only jobs of this space.", show_default=False)] = None,
    first: Annotated[int, typer.Option("-n", "--first", min=1, max=100, help="How many at most.")] = 50,
    url: Url = None,
    home: Home = None,
    as_json: Json = False,
    debug: Debug = False,
) -> None:
    """List the background jobs."""
    from consilience.cli.background import service_url
    from consilience.cli.calling import client_of
    from consilience.config import load_settings

    address = service_url(load_settings(home=home, url=url))

    async def ask() -> "tuple[int | None, tuple[Job, ...]]":
        async with client_of(address) as client:
            retried = await client.retry_jobs(space=space) if retry_dead else None
            return retried, await client.jobs(space=space, state=state, first=first)

    retried, found = run_async(ask())
    if as_json:
        print_json({"retried": retried, "jobs": found})
    else:
        _show_jobs(found, retried=retried)


def _show_jobs(found: "tuple[Job, ...]", *, retried: int | None) -> None:
    from rich.table import Table
    from rich.text import Text

    from consilience.cli.console import say

    if retried is not None:
        say(f"Queued again: {retried}.")
    if not found:
        say("No such jobs.")
        return
    table = Table(box=None, pad_edge=False)
    for heading in ("job", "space", "kind", "state", "done", "attempts", "error"):
        table.add_column(heading, overflow="fold")
    for job in found:
        cells = (
            job.id,
            job.space,
            job.kind,
            job.state.value,
            f"{job.done}/{job.total}",
            str(job.attempts),
            job.error or "",
        )
        table.add_row(*(Text(cell) for cell in cells))
    stdout().print(table)
