"""Hits as a table: who said it, when, why it was found, and the words."""

from typing import TYPE_CHECKING

from consilience.cli.console import moment, printable, say, stdout

if TYPE_CHECKING:
    from rich.text import Text

    from consilience.client import Found, FoundHit


def show_found(found: "Found") -> None:
    """Prints the table, then what the gates held back and how long it took."""
    from rich import box
    from rich.table import Table

    if not found.hits:
        say("Nothing found.")
    else:
        table = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1))
        table.add_column("#", justify="right")
        table.add_column("who", overflow="fold", max_width=20)
        table.add_column("when", no_wrap=True)
        table.add_column("why", no_wrap=True)
        table.add_column("text", overflow="fold", ratio=1)
        for hit in found.hits:
            table.add_row(*_cells(hit))
        stdout().print(table)
    held = [f"{found.cut.below_floor} below the trust the risk asks for"] if found.cut.below_floor else []
    held += [f"{found.cut.quarantined} quarantined"] if found.cut.quarantined else []
    say(f"{found.took_ms:.0f} ms" + (f"; held back: {', '.join(held)}" if held else ""))


def _cells(hit: "FoundHit") -> "tuple[Text, ...]":
    from rich.text import Text

    memory, parts = hit.memory, hit.parts
    who = (memory.contributor.name or memory.contributor.external_id) if memory.contributor else memory.kind.value.lower()
    via = f"\nvia {memory.source.key}" if memory.source and memory.source.key != "conversation" else ""
    why = f"meaning    {parts.meaning:.2f}\nwords      {parts.words:.2f}\nrecency    {parts.recency:.2f}\nconfidence {parts.confidence:.2f}"
    text = Text(printable(memory.text))
    if hit.suspect:
        text.append(f"\n[suspect: {', '.join(printable(reason) for reason in hit.suspect)}]", style="bold red")
    return (
        Text(str(hit.rank)),
        Text(printable(who + via)),
        Text(moment(memory.occurred_at or memory.recorded_at).replace(" ", "\n", 1)),
        Text(why, style="dim"),
        text,
    )
