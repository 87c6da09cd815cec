"""`serve`, `up`, `down`, `worker`, `logs`: the service as a process."""

import os
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from consilience.cli.console import print_json, say
from consilience.cli.options import Debug, Home, Json
from consilience.cli.screen import Screen

if TYPE_CHECKING:
    from consilience.cli.running import Running

Host = Annotated[str | None, typer.Option("--host", metavar="ADDRESS", help="Address to listen on; default 127.0.0.1.", show_default=False)]
Port = Annotated[
    int | None, typer.Option("--port", min=0, max=65535, help="Port of the API; default 8765, 0 picks a free one.", show_default=False)
]
Sample = Annotated[bool, typer.Option("--sample", help="Load the sample conversation, ask it questions and show who said what.")]

_FOLLOW_EVERY_S: Final = 0.3


class Announcer(Screen):
    """What `serve` reports: lines, and once the addresses, which it also notes in the data folder."""

    def __init__(self, home: Path, *, sample: bool) -> None:
        super().__init__()
        self._home = home
        self._sample = sample

    def ready(self, *, url: str, browser_url: str | None) -> None:
        """The service listens at `url`. Neo4j Browser is at `browser_url`, if the store is managed here."""
        from consilience.cli.running import this_process, write_running
        from consilience.clock import utc_now

        write_running(self._home, this_process(url, browser_url=browser_url, started_at=utc_now().isoformat()))
        for line in addresses(url, browser_url=browser_url):
            self.say(line)
        if self._sample:
            threading.Thread(target=show_sample, args=(url,), name="sample", daemon=True).start()


def addresses(url: str, *, browser_url: str | None) -> list[str]:
    lines = ["Consilience is serving.", f"  API and GraphiQL  {url}/graphiql", f"  GraphQL           {url}/graphql"]
    return lines + ([f"  Neo4j Browser     {browser_url}"] if browser_url else [])


def show_sample(url: str) -> None:
    """The demonstration against this service; an error there does not end it."""
    from consilience.cli.demo import demonstrate
    from consilience.cli.failing import tell, tell_unexpected
    from consilience.errors import ConsilienceError

    try:
        demonstrate(url)
    except ConsilienceError as error:
        tell(error)
    except Exception as error:  # noqa: BLE001  # the service goes on, whatever the demonstration meets
        tell_unexpected(error)


def serve(host: Host = None, port: Port = None, home: Home = None, sample: Sample = False, debug: Debug = False) -> None:
    """Run the service in the foreground: database, API and worker. Ctrl-C stops it."""
    from consilience.cli.running import find_running, remove_running
    from consilience.config import load_settings
    from consilience.errors import CannotStart

    settings = load_settings(home=home, host=host, port=port)
    running = find_running(settings.home)
    if running is not None:
        raise CannotStart(
            f"a service already runs on the data folder {settings.home} (process {running.pid}, {running.url})",
            hint="use it, stop it with `consilience down`, or choose another --home",
        )
    from consilience.app import serve as serve_until_stopped

    announcer = Announcer(settings.home, sample=sample)
    try:
        status = serve_until_stopped(settings, report=announcer, sample=sample)
    finally:
        announcer.close()
        remove_running(settings.home, pid=os.getpid())
    raise typer.Exit(status)


def up(
    host: Host = None, port: Port = None, home: Home = None, sample: Sample = False, as_json: Json = False, debug: Debug = False
) -> None:
    """Start the service in the background and wait until it is ready."""
    from consilience.cli.background import start_service
    from consilience.config import load_settings

    settings = load_settings(home=home, host=host, port=port)
    running = start_service(settings, screen=Screen())
    if as_json:
        print_json(running)
    else:
        for line in [*addresses(running.url, browser_url=running.browser_url), "Stop it with `consilience down`."]:
            say(line)
    if sample:
        from consilience.cli.demo import demonstrate

        demonstrate(running.url, quiet=as_json)


def down(
    home: Home = None,
    force: Annotated[bool, typer.Option("--force", help="Kill it instead of asking it to end.")] = False,
    as_json: Json = False,
    debug: Debug = False,
) -> None:
    """Stop the service of the data folder."""
    from consilience.cli.background import stop_service
    from consilience.cli.running import find_running
    from consilience.config import load_settings

    settings = load_settings(home=home)
    running = find_running(settings.home)
    if running is not None:
        stop_service(running, home=settings.home, force=force)
    if as_json:
        print_json({"stopped": running is not None, "pid": running.pid if running else None})
    else:
        say(_stopped(running, home=settings.home))


def _stopped(running: "Running | None", *, home: Path) -> str:
    return f"No service runs on the data folder {home}." if running is None else f"Stopped the service (process {running.pid})."


def worker(home: Home = None, debug: Debug = False) -> None:
    """Run a worker alone: it takes jobs off the queue of the database and serves nothing."""
    from consilience.app import run_worker
    from consilience.config import load_settings

    raise typer.Exit(run_worker(load_settings(home=home)))


def logs(
    neo4j: Annotated[bool, typer.Option("--neo4j", help="The log of the managed Neo4j instead of the service's.")] = False,
    lines: Annotated[int, typer.Option("-n", "--lines", min=0, help="How many of the last lines.")] = 50,
    follow: Annotated[bool, typer.Option("-f", "--follow", help="Go on printing as lines come, until Ctrl-C.")] = False,
    home: Home = None,
    debug: Debug = False,
) -> None:
    """Print the log of a service started in the background, or of its Neo4j."""
    from consilience.cli.background import log_file, tail
    from consilience.config import load_settings
    from consilience.errors import NotHere
    from consilience.server.home import layout

    settings = load_settings(home=home)
    file = layout(settings).log if neo4j else log_file(settings.home)
    if not file.is_file():
        raise NotHere(f"there is no log at {file}", hint="`consilience up` writes one; `consilience serve` prints to the terminal")
    seen = file.stat().st_size
    for line in tail(file)[-lines:] if lines else []:
        print(line)
    while follow:
        time.sleep(_FOLLOW_EVERY_S)
        size = file.stat().st_size
        seen = 0 if size < seen else seen  # turned over
        with file.open("rb") as opened:
            opened.seek(seen)
            fresh = opened.read()
        seen += len(fresh)
        print(fresh.decode("utf-8", errors="replace"), end="", flush=True)
