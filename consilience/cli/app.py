"""The commands, and the one place where a command's errors become words and an exit status."""

import io
import sys
from typing import Annotated

import typer

from consilience.cli import (
    beliefs_commands,
    catalogue_commands,
    database_commands,
    health_commands,
    memory_commands,
    profile_commands,
    service_commands,
)
from consilience.cli.failing import INTERRUPTED, tell, tell_unexpected
from consilience.errors import ConsilienceError

app = typer.Typer(
    name="consilience",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="Exit status: 0 done, 1 unexpected error, 2 usage, 3 refused, 4 service or database not reachable, "
    "5 cannot start here, 6 unhealthy, 130 interrupted.",
)

_SERVICE, _MEMORY, _BELIEFS, _LOOKING = "Service", "Memory", "What is believed", "Looking after it"
_PEOPLE = "Agents and people"


def _show_version(on: bool) -> None:
    if on:
        from importlib.metadata import version  # a tenth of what --help costs

        print(version("consilience"))
        raise typer.Exit


@app.callback()
def consilience(
    _version: Annotated[bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Print the version.")] = False,
) -> None:
    """A graph memory for AI agents: who said what, what follows from it, and how to take it back."""


app.command(rich_help_panel=_SERVICE)(service_commands.serve)
app.command(rich_help_panel=_SERVICE)(service_commands.up)
app.command(rich_help_panel=_SERVICE)(service_commands.down)
app.command(rich_help_panel=_SERVICE)(service_commands.worker)
app.command(rich_help_panel=_MEMORY)(memory_commands.remember)
app.command(rich_help_panel=_MEMORY)(memory_commands.recall)
app.command(rich_help_panel=_MEMORY)(memory_commands.demo)
app.add_typer(catalogue_commands.sources, name="sources", rich_help_panel=_MEMORY)
app.command(rich_help_panel=_BELIEFS)(beliefs_commands.facts)
app.command(rich_help_panel=_BELIEFS)(beliefs_commands.conflicts)
app.command(rich_help_panel=_BELIEFS)(beliefs_commands.why)
app.command(rich_help_panel=_BELIEFS)(beliefs_commands.review)
app.command(rich_help_panel=_BELIEFS)(beliefs_commands.resolve)
app.command(rich_help_panel=_BELIEFS)(beliefs_commands.restore)
app.command(rich_help_panel=_PEOPLE)(profile_commands.identity)
app.command(rich_help_panel=_PEOPLE)(profile_commands.profile)
app.command(rich_help_panel=_PEOPLE)(profile_commands.end_session)
app.command(rich_help_panel=_PEOPLE)(profile_commands.feedback)
app.command(rich_help_panel=_PEOPLE)(profile_commands.pin)
app.command(rich_help_panel=_LOOKING)(health_commands.status)
app.command(rich_help_panel=_LOOKING)(health_commands.doctor)
app.command(rich_help_panel=_LOOKING)(health_commands.jobs)
app.command(rich_help_panel=_LOOKING)(service_commands.logs)
app.command(rich_help_panel=_LOOKING)(database_commands.reembed)
app.command(rich_help_panel=_LOOKING)(database_commands.rebuild)
app.command(rich_help_panel=_LOOKING)(catalogue_commands.schema)


def run() -> int:
    """Runs the command of this process's arguments; its exit status."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    try:
        app(prog_name="consilience")
    except SystemExit as ended:
        return ended.code if isinstance(ended.code, int) else int(ended.code is not None)
    except ConsilienceError as error:
        return tell(error)
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        # The reader (`| head`) has gone: nothing is left to say to it.
        sys.stdout = io.StringIO()
        return 0
    except Exception as error:  # noqa: BLE001  # the last line of defence: no traceback with a person's words in it
        return tell_unexpected(error)
    return 0
