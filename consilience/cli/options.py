"""The options that several commands share, each written once."""

from pathlib import Path
from typing import Annotated, TypeAlias

import typer

from consilience.cli.console import MODE


def _speak_json(on: bool) -> bool:
    MODE.json = MODE.json or on
    return on


def _show_traces(on: bool) -> bool:
    MODE.debug = MODE.debug or on
    return on


Url: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--url",
        metavar="URL",
        help="Address of a running service; else CONSILIENCE_URL, else the service of the data folder.",
        show_default=False,
    ),
]
Home: TypeAlias = Annotated[
    Path | None,
    typer.Option("--home", metavar="FOLDER", help="Data folder; else CONSILIENCE_HOME, else a folder of this user.", show_default=False),
]
Json: TypeAlias = Annotated[
    bool, typer.Option("--json", callback=_speak_json, is_eager=True, help="Print one JSON object and nothing else on stdout.")
]
Debug: TypeAlias = Annotated[
    bool, typer.Option("--debug", callback=_show_traces, is_eager=True, help="Show the traceback of an error (it may quote what was said).")
]
Space: TypeAlias = Annotated[str, typer.Option("--space", metavar="NAME", help="The space of memory.")]
