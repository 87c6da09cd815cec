"""`facts`, `conflicts`, `why`, `review`, `resolve`, `restore`: what is believed, on what grounds, and a person's last word."""

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from consilience.cli.belief_options import After, First, Note
from consilience.cli.console import print_json, run_async
from consilience.cli.options import Debug, Home, Json, Space, Url
from consilience.schema.beliefs import ConflictState
from consilience.schema.domain import DEFAULT_SPACE, Status

if TYPE_CHECKING:
    from consilience.client import Changed, Client

T = TypeVar("T")


def facts(
    subject: Annotated[
        str | None, typer.Option("--subject", metavar="NAME", help="Only about this name or contributor.", show_default=False)
    ] = None,
    predicate: Annotated[
        str | None, typer.Option("--predicate", metavar="NAME", help="Only this predicate, such as lives_in.", show_default=False)
    ] = None,
    status: Annotated[
        Status | None, typer.Option("--status", case_sensitive=False, help="Only in this status.", show_default=False)
    ] = None,
    contributor: Annotated[
        str | None, typer.Option("--contributor", metavar="ID", help="Only what rests on this contributor's word.", show_default=False)
    ] = None,
    space: Space = DEFAULT_SPACE,
    first: First = 20,
    after: After = None,
    url: Url = None,
    home: Home = None,
    as_json: Json = False,
    debug: Debug = False,
) -> None:
    """List what is believed, or was, with what it rests on."""
    from consilience.cli.beliefs import show_facts

    found = ask(
        lambda client: client.facts(
            space=space, subject=subject, predicate=predicate, status=status, contributor=contributor, first=first, after=after
        ),
        url=url,
        home=home,
    )
    if as_json:
        print_json(found)
    else:
        show_facts(found)


def conflicts(
    state: Annotated[
        ConflictState | None, typer.Option("--state", case_sensitive=False, help="Only in this state.", show_default=False)
    ] = None,
    about: Annotated[
        str | None, typer.Option("--about", metavar="NAME", help="Only about this name or contributor.", show_default=False)
    ] = None,
    space: Space = DEFAULT_SPACE,
    first: First = 20,
    after: After = None,
    url: Url = None,
    home: Home = None,
    as_json: Json = False,
    debug: Debug = False,
) -> None:
    """Show contradictions, the sides beside each other with what speaks for each."""
    from consilience.cli.beliefs import show_conflicts

    found = ask(lambda client: client.conflicts(space=space, state=state, about=about, first=first, after=after), url=url, home=home)
    if as_json:
        print_json(found)
    else:
        show_conflicts(found)


def why(
    memory: Annotated[str, typer.Argument(metavar="ID", help="Id of a fact or an episode.")],
    space: Space = DEFAULT_SPACE,
    url: Url = None,
    home: Home = None,
    as_json: Json = False,
    debug: Debug = False,
) -> None:
    """Explain a memory: one sentence, then step by step down to who said what, when."""
    from consilience.cli.beliefs import show_explained
    from consilience.errors import NotHere

    found = ask(lambda client: client.why(memory, space=space), url=url, home=home)
    if found is None:
        raise NotHere(f"nothing with this id is in the space {space}", hint="check the id and --space", field="id")
    if as_json:
        print_json(found)
    else:
        show_explained(found)


def review(
    item: Annotated[str, typer.Argument(metavar="[ITEM]", help="The item to decide; list, or nothing: the queue.")] = "list",
    confirm: Annotated[bool, typer.Option("--confirm", help="It is so.")] = False,
    reject: Annotated[bool, typer.Option("--reject", help="It is not so.")] = False,
    note: Note = None,
    space: Space = DEFAULT_SPACE,
    first: First = 20,
    after: After = None,
    url: Url = None,
    home: Home = None,
    as_json: Json = False,
    debug: Debug = False,
) -> None:
    """List what waits for a person, or decide one item."""
    if item == "list":
        if confirm or reject:
            raise typer.BadParameter("name the item to decide", param_hint="ITEM")
        _list_reviews(space=space, first=first, after=after, url=url, home=home, as_json=as_json)
        return
    if confirm == reject:
        raise typer.BadParameter("say either --confirm or --reject", param_hint="--confirm / --reject")
    change(
        ask(lambda client: client.review(item, confirm=confirm, note=note, space=space), url=url, home=home),
        said="Confirmed." if confirm else "Rejected.",
        as_json=as_json,
    )


def resolve(
    conflict: Annotated[str, typer.Argument(metavar="CONFLICT", help="Id of the conflict.")],
    winner: Annotated[str, typer.Argument(metavar="WINNER", help="Id of the fact that holds, one of its sides.")],
    note: Note = None,
    space: Space = DEFAULT_SPACE,
    url: Url = None,
    home: Home = None,
    as_json: Json = False,
    debug: Debug = False,
) -> None:
    """Decide a conflict for one of its sides."""
    changed = ask(lambda client: client.resolve_conflict(conflict, winner=winner, note=note, space=space), url=url, home=home)
    change(changed, said="Decided.", as_json=as_json)


def restore(
    fact: Annotated[str, typer.Argument(metavar="FACT", help="Id of the fact that was replaced.")],
    note: Note = None,
    space: Space = DEFAULT_SPACE,
    url: Url = None,
    home: Home = None,
    as_json: Json = False,
    debug: Debug = False,
) -> None:
    """Put a fact that was replaced back in force."""
    changed = ask(lambda client: client.restore_fact(fact, note=note, space=space), url=url, home=home)
    change(changed, said="Restored.", as_json=as_json)


def _list_reviews(*, space: str, first: int, after: str | None, url: str | None, home: Path | None, as_json: bool) -> None:
    from consilience.cli.beliefs import show_reviews

    found = ask(lambda client: client.review_queue(space=space, first=first, after=after), url=url, home=home)
    if as_json:
        print_json(found)
    else:
        show_reviews(found)


def change(changed: "Changed", *, said: str, as_json: bool) -> None:
    """What was done and the memories as they stand now."""
    from consilience.cli.beliefs import show_changed

    if as_json:
        print_json(changed)
    else:
        show_changed(changed, said=said)


def ask(call: "Callable[[Client], Awaitable[T]]", *, url: str | None, home: Path | None) -> T:
    """One call to the service of the options."""
    from consilience.cli.background import service_url
    from consilience.cli.calling import client_of
    from consilience.config import load_settings

    address = service_url(load_settings(home=home, url=url))

    async def call_once() -> T:
        async with client_of(address) as client:
            return await call(client)

    return run_async(call_once())
