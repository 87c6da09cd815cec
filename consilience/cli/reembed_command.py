"""`reembed`: makes the vectors of a space anew. Works on the database itself, with no service running on it."""

from typing import Annotated

import typer

from consilience.cli.console import print_json, say
from consilience.cli.options import Debug, Home, Json
from consilience.cli.screen import Screen


def reembed(
    space: Annotated[str, typer.Option("--space", "-s", help="The space whose vectors are made anew.")] = "default",
    home: Home = None,
    as_json: Json = False,
    debug: Debug = False,
) -> None:
    """Make the vectors of a space anew with the embedder of the settings. Stop the service first; interrupted, run it again."""
    from consilience.app import reembed_space
    from consilience.config import load_settings

    screen = Screen()
    try:
        done = reembed_space(load_settings(home=home), space=space, report=screen)
    finally:
        screen.close()
    if as_json:
        print_json({"space": space, "episodes": done})
    else:
        say(f"{done} episodes of space {space} have new vectors.")
