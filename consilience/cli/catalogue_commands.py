"""`schema` and `sources`: what the service speaks, and what it listens to."""

from importlib.resources import files
from typing import TYPE_CHECKING, Annotated

import typer

from consilience.cli.console import print_json, run_async, stdout
from consilience.cli.options import Debug, Home, Json, Space, Url
from consilience.schema.domain import DEFAULT_SPACE

if TYPE_CHECKING:
    from consilience.client import Through

sources = typer.Typer(help="List or register the sources of a space.", invoke_without_command=True)


def schema(
    contract: Annotated[bool, typer.Option("--contract", help="The public contract instead of everything the service has.")] = False,
    as_json: Json = False,
    debug: Debug = False,
) -> None:
    """Print the GraphQL schema (SDL). Needs no running service."""
    if contract:
        sdl = files("consilience.schema").joinpath("contract.graphql").read_text(encoding="utf-8")
    else:
        from consilience.resolvers.build import build_schema

        sdl = build_schema(introspection=True).as_str()
    if as_json:
        print_json({"sdl": sdl})
    else:
        print(sdl)


@sources.callback()
def sources_or_list(
    context: typer.Context, space: Space = DEFAULT_SPACE, url: Url = None, home: Home = None, as_json: Json = False, debug: Debug = False
) -> None:
    """List or register the sources of a space. An unregistered key counts 0.2. The options here are those of `list`."""
    if context.invoked_subcommand is None:
        list_sources(space=space, url=url, home=home, as_json=as_json, debug=debug)


@sources.command("list")
def list_sources(space: Space = DEFAULT_SPACE, url: Url = None, home: Home = None, as_json: Json = False, debug: Debug = False) -> None:
    """List the registered sources of a space."""
    address = _address(url, home)

    async def ask() -> "tuple[Through, ...]":
        from consilience.cli.calling import client_of

        async with client_of(address) as client:
            return await client.sources(space=space)

    found = run_async(ask())
    if as_json:
        print_json({"space": space, "sources": found})
    else:
        _show_sources(found)


@sources.command("register")
def register_source(
    key: Annotated[str, typer.Argument(metavar="KEY", help="The key episodes name as their source.")],
    channel: Annotated[str, typer.Argument(metavar="CHANNEL", help="What kind of source it is, e.g. conversation, internal_tool, web.")],
    trust: Annotated[
        float | None, typer.Option("--trust", min=0.0, max=1.0, help="Its trust, 0..1; default: the channel's.", show_default=False)
    ] = None,
    space: Space = DEFAULT_SPACE,
    url: Url = None,
    home: Home = None,
    as_json: Json = False,
    debug: Debug = False,
) -> None:
    """Register a source, so that its episodes count with its trust."""
    address = _address(url, home)

    async def ask() -> "Through":
        from consilience.cli.calling import client_of

        async with client_of(address) as client:
            return await client.register_source(key, channel=channel, trust=trust, space=space)

    found = run_async(ask())
    if as_json:
        print_json({"space": space, "source": found})
    else:
        _show_sources((found,))


def _address(url: str | None, home: object) -> str:
    from consilience.cli.background import service_url
    from consilience.config import load_settings

    return service_url(load_settings(home=home, url=url))


def _show_sources(found: "tuple[Through, ...]") -> None:
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False)
    for heading in ("source", "channel", "trust"):
        table.add_column(heading, overflow="fold")
    for source in found:
        table.add_row(Text(source.key), Text(source.channel), Text(f"{source.trust:.2f}"))
    stdout().print(table)
