"""`remember`, `recall`, `demo`: putting conversations in and asking for what was said."""

import sys
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from consilience.cli.console import print_json, run_async, say, stderr
from consilience.cli.formats import BadLine, Defaults, Form, Parsed, detect, parse
from consilience.cli.json_lines import LineError, instant
from consilience.cli.options import Debug, Home, Json, Space, Url
from consilience.schema.domain import DEFAULT_SOURCE, DEFAULT_SPACE, MemoryKind, Recollection, Risk, Status, Wait

if TYPE_CHECKING:
    from consilience.cli.importing import Sent
    from consilience.client import Found

_MOST_SHOWN = 20


def _at(value: str | None) -> datetime | None:
    try:
        return None if value is None else instant(value, field="time")
    except LineError as error:
        raise typer.BadParameter(str(error)) from error


Time = Annotated[
    datetime | None, typer.Option(parser=_at, metavar="TIME", show_default=False, help="A time with offset: 2026-03-01T09:12:00+01:00.")
]


def remember(
    file: Annotated[str, typer.Argument(metavar="FILE", help="A file of JSON Lines or a plain chat export; - reads standard input.")],
    form: Annotated[Form | None, typer.Option("--format", help="The format; default: found out.", show_default=False)] = None,
    space: Space = DEFAULT_SPACE,
    source: Annotated[str, typer.Option("--source", metavar="KEY", help="Source of lines that name none.")] = DEFAULT_SOURCE,
    contributor: Annotated[
        str | None, typer.Option("--contributor", metavar="ID", help="Contributor of JSON lines that name none.", show_default=False)
    ] = None,
    session: Annotated[
        str | None, typer.Option("--session", metavar="ID", help="Session of lines that name none; of the whole chat.", show_default=False)
    ] = None,
    settled: Annotated[bool, typer.Option("--settled", "--wait", help="Return when everything is digested, not just stored.")] = False,
    skip_bad: Annotated[
        bool, typer.Option("--skip-bad", help="Leave bad lines out and report them; else nothing is sent if one is bad.")
    ] = False,
    url: Url = None,
    home: Home = None,
    as_json: Json = False,
    debug: Debug = False,
) -> None:
    """Remember a conversation. Repeating the command doubles nothing and goes on where it stopped."""
    content = _read(file)
    form = form or detect(content, name="" if file == "-" else file)
    parsed = parse(content, form=form, defaults=Defaults(source=source, contributor=contributor, session=session))
    _refuse_bad(parsed, skip_bad=skip_bad)
    sent = _send(parsed, space=space, wait=Wait.SETTLED if settled else Wait.STORED, skip_bad=skip_bad, url=url, home=home)
    from consilience.cli.importing import in_file_order

    skipped = in_file_order(parsed.bad, refused=sent.refused)
    if as_json:
        told = {"file": file, "format": form, "space": space, "stored": sent.stored, "duplicates": sent.duplicates}
        print_json({**told, "quarantined": sent.quarantined, "empty": parsed.empty, "skipped": skipped})
        return
    _show_bad(skipped, heading=f"Left out {len(skipped)} bad lines:")
    quarantined = f", {sent.quarantined} of them quarantined" if sent.quarantined else ""
    say(f"Remembered {sent.stored} episodes in space {space}{quarantined}; {sent.duplicates} were there already.")


def _read(file: str) -> bytes:
    from consilience.errors import InvalidInput

    try:
        return sys.stdin.buffer.read() if file == "-" else Path(file).read_bytes()
    except OSError as error:
        raise InvalidInput(
            f"cannot read {file}: {error.strerror or type(error).__name__}", hint="give a readable file, or - for standard input"
        ) from error


def _refuse_bad(parsed: Parsed, *, skip_bad: bool) -> None:
    if not parsed.bad or skip_bad:
        return
    from consilience.cli.failing import BadLines

    _show_bad(parsed.bad, heading="Bad lines:")
    raise BadLines(
        f"{len(parsed.bad)} of {len(parsed.bad) + len(parsed.good)} entries are bad; nothing was sent",
        lines=parsed.bad,
        hint="mend them (docs/guides/formats.md), or leave them out with --skip-bad",
    )


def _show_bad(bad: "tuple[BadLine, ...] | list[BadLine]", *, heading: str) -> None:
    if not bad:
        return
    say(heading)
    for line in bad[:_MOST_SHOWN]:
        say(f"  line {line.number}: {line.reason}")
    if len(bad) > _MOST_SHOWN:
        say(f"  and {len(bad) - _MOST_SHOWN} more")


def _send(parsed: Parsed, *, space: str, wait: Wait, skip_bad: bool, url: str | None, home: Path | None) -> "Sent":
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    from consilience.cli.background import service_url
    from consilience.cli.calling import client_of
    from consilience.cli.importing import Sent, send
    from consilience.config import load_settings

    sent = Sent(total=len(parsed.good))
    if not parsed.good:
        return sent
    address = service_url(load_settings(home=home, url=url))
    columns = (TextColumn("remembering"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())

    async def work() -> None:
        with Progress(*columns, console=stderr(), transient=True, disable=not stderr().is_terminal) as bar:
            task = bar.add_task("", total=sent.total)
            async with client_of(address) as client:
                await send(
                    client,
                    parsed.good,
                    space=space,
                    wait=wait,
                    skip_refused=skip_bad,
                    sent=sent,
                    moved=lambda now: bar.update(task, completed=now.done),
                )

    try:
        run_async(work())
    except BaseException:
        say(f"Stopped after {sent.done} of {sent.total} episodes. The same command goes on from there.")
        raise
    return sent


def recall(
    query: Annotated[str, typer.Argument(metavar="QUERY", help="What to look for, in words.")],
    space: Space = DEFAULT_SPACE,
    asker: Annotated[
        str | None, typer.Option("--asker", metavar="ID", help="Who asks ('I', 'my'): ranks, never filters.", show_default=False)
    ] = None,
    first: Annotated[int, typer.Option("-n", "--first", min=1, max=100, help="How many hits.")] = 5,
    kinds: Annotated[
        list[MemoryKind] | None, typer.Option("--kind", case_sensitive=False, help="Only this kind; repeatable.", show_default=False)
    ] = None,
    risk: Annotated[Risk, typer.Option("--risk", case_sensitive=False, help="What is about to be decided with it.")] = Risk.LOW,
    contributor: Annotated[
        str | None, typer.Option("--contributor", metavar="ID", help="Only what this contributor said.", show_default=False)
    ] = None,
    about: Annotated[
        str | None, typer.Option("--about", metavar="NAME", help="Only what concerns this entity.", show_default=False)
    ] = None,
    session: Annotated[str | None, typer.Option("--session", metavar="ID", help="Only this session.", show_default=False)] = None,
    since: Time = None,
    until: Time = None,
    as_of: Time = None,
    statuses: Annotated[
        list[Status] | None,
        typer.Option("--status", case_sensitive=False, help="Memories in this status; repeatable; default ACTIVE.", show_default=False),
    ] = None,
    url: Url = None,
    home: Home = None,
    as_json: Json = False,
    debug: Debug = False,
) -> None:
    """Ask the memory: what was said, by whom, when, and why it was found."""
    from consilience.cli.background import service_url
    from consilience.cli.hits import show_found
    from consilience.config import load_settings

    asked = Recollection(
        query=query, space=space, asker=asker, first=first, kinds=tuple(kinds or ()), risk=risk, contributor=contributor,
        about=about, session=session, since=since, until=until, as_of=as_of, statuses=tuple(statuses or ()),
    )  # fmt: skip
    found = run_async(_recall(service_url(load_settings(home=home, url=url)), asked))
    if as_json:
        print_json(found)
    else:
        show_found(found)


async def _recall(address: str, asked: Recollection) -> "Found":
    from consilience.cli.calling import client_of

    async with client_of(address) as client:
        return await client.recall(asked)


def demo(
    space: Annotated[
        str | None, typer.Option("--space", metavar="NAME", help="Another space than the sample's own.", show_default=False)
    ] = None,
    url: Url = None,
    home: Home = None,
    as_json: Json = False,
    debug: Debug = False,
) -> None:
    """Load the sample conversation, ask it questions and show who said what."""
    from consilience.cli.background import service_url
    from consilience.cli.demo import demonstrate
    from consilience.config import load_settings

    answers = demonstrate(service_url(load_settings(home=home, url=url)), space=space, quiet=as_json)
    if as_json:
        print_json({"answers": answers})
