"""`reembed` and `rebuild`: work on the database itself."""

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


def rebuild(
    space: Annotated[str, typer.Option("--space", "-s", help="The space whose beliefs are made again from its evidence.")] = "default",
    check: Annotated[bool, typer.Option("--check", help="Only compare; exit status 6 if anything differs.")] = False,
    home: Home = None,
    as_json: Json = False,
    debug: Debug = False,
) -> None:
    """Settle every slot of a space from its evidence alone, or with --check compare what stands with it."""
    from consilience.app import rebuild_space
    from consilience.cli.failing import UNHEALTHY
    from consilience.config import load_settings

    screen = Screen()
    try:
        found = rebuild_space(load_settings(home=home), space=space, check_only=check, report=screen)
    finally:
        screen.close()
    if as_json:
        print_json({"space": space, "slots": found.slots, "different": list(found.different), "orphans": found.orphans})
    else:
        verb = "differ from" if check else "were mended by"
        say(f"{found.slots} slots of space {space}: {len(found.different)} {verb} their evidence, {found.orphans} facts rested on nothing.")
    if check and (found.different or found.orphans):
        raise typer.Exit(UNHEALTHY)
