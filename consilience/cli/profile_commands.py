"""`identity`, `profile`, `end-session`, `feedback`, `pin`: an agent, the people it talks to, and what came of use."""

from typing import Annotated

import typer

from consilience.cli.belief_options import Note
from consilience.cli.beliefs_commands import ask, change
from consilience.cli.console import print_json
from consilience.cli.options import Debug, Home, Json, Space, Url
from consilience.schema.domain import DEFAULT_SPACE
from consilience.schema.profiles import IdentityCard, Outcome


def identity(
    agent: Annotated[str, typer.Argument(metavar="AGENT", help="The agent's id.")],
    name: Annotated[str | None, typer.Option("--name", help="Its name; with this the card is written.", show_default=False)] = None,
    role: Annotated[str, typer.Option("--role", help="What it is there for.", show_default=False)] = "",
    introduction: Annotated[str, typer.Option("--introduction", help="How it introduces itself.", show_default=False)] = "",
    trait: Annotated[list[str] | None, typer.Option("--trait", help="How it behaves; may be repeated.", show_default=False)] = None,
    rule: Annotated[list[str] | None, typer.Option("--rule", help="What it never does; may be repeated.", show_default=False)] = None,
    space: Space = DEFAULT_SPACE,
    url: Url = None,
    home: Home = None,
    as_json: Json = False,
    debug: Debug = False,
) -> None:
    """Show who an agent is, or say so (for administrators)."""
    from consilience.cli.profiles import show_identity
    from consilience.errors import NotHere

    if name is None:
        if role or introduction or trait or rule:
            raise typer.BadParameter("a card needs a name, a role and an introduction", param_hint="--name")
        found = ask(lambda client: client.identity(agent, space=space), url=url, home=home)
    else:
        card = IdentityCard(agent, name, role, introduction, tuple(trait or ()), tuple(rule or ()))
        found = ask(lambda client: client.set_identity(card, space=space), url=url, home=home)
    if found is None:
        raise NotHere(f"no agent has this id in the space {space}", hint="say who it is with --name, --role, --introduction", field="agent")
    if as_json:
        print_json(found)
    else:
        show_identity(found)


def profile(
    contributor: Annotated[str, typer.Argument(metavar="CONTRIBUTOR", help="The caller's own id of the person.")],
    space: Space = DEFAULT_SPACE,
    url: Url = None,
    home: Home = None,
    as_json: Json = False,
    debug: Debug = False,
) -> None:
    """Show what is known of a person to talk to: form of address, stage, preferences, what is only observed."""
    from consilience.cli.profiles import show_profile
    from consilience.errors import NotHere

    found = ask(lambda client: client.profile(contributor, space=space), url=url, home=home)
    if found is None:
        raise NotHere(f"no contributor has this id in the space {space}", hint="check the id and --space", field="contributor")
    if as_json:
        print_json(found)
    else:
        show_profile(found)


def end_session(
    session: Annotated[str, typer.Argument(metavar="SESSION", help="The caller's own id of the session.")],
    space: Space = DEFAULT_SPACE,
    url: Url = None,
    home: Home = None,
    as_json: Json = False,
    debug: Debug = False,
) -> None:
    """End a session and show what it came to: facts, events, todos, a summary. Nothing at all is normal."""
    from consilience.cli.profiles import show_ended

    found = ask(lambda client: client.end_session(session, space=space), url=url, home=home)
    if as_json:
        print_json(found)
    else:
        show_ended(found)


def feedback(
    memories: Annotated[list[str], typer.Argument(metavar="ID...", help="Ids of the memories that were used.")],
    helped: Annotated[bool, typer.Option("--helped", help="They helped.")] = False,
    misled: Annotated[bool, typer.Option("--misled", help="They misled.")] = False,
    note: Note = None,
    space: Space = DEFAULT_SPACE,
    url: Url = None,
    home: Home = None,
    as_json: Json = False,
    debug: Debug = False,
) -> None:
    """Say how memories that were used turned out."""
    if helped == misled:
        raise typer.BadParameter("say either --helped or --misled", param_hint="--helped / --misled")
    outcome = Outcome.HELPED if helped else Outcome.MISLED
    changed = ask(lambda client: client.feedback(memories, outcome=outcome, note=note, space=space), url=url, home=home)
    change(changed, said="Noted.", as_json=as_json)


def pin(
    memory: Annotated[str, typer.Argument(metavar="ID", help="Id of a fact, an episode or a summary.")],
    off: Annotated[bool, typer.Option("--off", help="Let it go again.")] = False,
    space: Space = DEFAULT_SPACE,
    url: Url = None,
    home: Home = None,
    as_json: Json = False,
    debug: Debug = False,
) -> None:
    """Pin a memory, so that no collection takes it."""
    changed = ask(lambda client: client.pin(memory, pinned=not off, space=space), url=url, home=home)
    change(changed, said="Unpinned." if off else "Pinned.", as_json=as_json)
