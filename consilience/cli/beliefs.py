"""Facts, conflicts, explanations and the review queue as a reader at a terminal sees them."""

from typing import TYPE_CHECKING

from consilience.cli.console import moment, printable, say, stdout

if TYPE_CHECKING:
    from rich.table import Table
    from rich.text import Text

    from consilience.client import Changed, ConflictPage, Explained, FactPage, FoundConflict, FoundFact, ReviewPage
    from consilience.client.beliefs import PageEnd
    from consilience.schema.beliefs import Support

_STYLES = {"ACTIVE": "green", "QUARANTINED": "bold red", "RETRACTED": "red", "TO_VERIFY": "yellow", "CANDIDATE": "yellow"}


def show_facts(page: "FactPage") -> None:
    """A table of facts, then where the page ended."""
    from rich.text import Text

    if not page.nodes:
        say("No such facts.")
        return
    table = _table("fact", "subject", "predicate", "value", "status", "conf.", "support", "valid")
    for fact in page.nodes:
        table.add_row(
            Text(fact.id, style="dim"),
            Text(printable(fact.subject.name)),
            Text(printable(fact.predicate)),
            _value(fact),
            Text(fact.status.value, style=_STYLES.get(fact.status.value, "")),
            Text(f"{fact.confidence:.2f}"),
            Text(_support(fact.support)),
            Text(_interval(fact)),
        )
    stdout().print(table)
    _show_end(len(page.nodes), page.total_count, page.page_info)


def show_conflicts(page: "ConflictPage") -> None:
    """Each conflict as a table of its own: one column a side."""
    if not page.nodes:
        say("No such conflicts.")
        return
    for conflict in page.nodes:
        _show_conflict(conflict)
    _show_end(len(page.nodes), page.total_count, page.page_info)


def _show_conflict(conflict: "FoundConflict") -> None:
    from rich.text import Text

    head = f"{conflict.subject.name} {conflict.predicate}: {conflict.state.value}, since {moment(conflict.opened_at)}"
    stdout().print(Text(printable(head), style="bold"))
    stdout().print(Text(conflict.id, style="dim"))
    table = _table("", *(f"side {number}" for number, _ in enumerate(conflict.sides, start=1)))
    facts = [side.fact for side in conflict.sides]
    table.add_row(Text("value"), *(_value(fact) for fact in facts))
    table.add_row(Text("fact"), *(Text(fact.id, style="dim") for fact in facts))
    table.add_row(Text("status"), *(Text(fact.status.value, style=_STYLES.get(fact.status.value, "")) for fact in facts))
    table.add_row(Text("confidence"), *(Text(f"{fact.confidence:.2f}") for fact in facts))
    table.add_row(Text("reliability"), *(Text(f"{side.reliability:.2f}") for side in conflict.sides))
    table.add_row(Text("freshness"), *(Text(f"{side.freshness:.2f}") for side in conflict.sides))
    table.add_row(Text("consistency"), *(Text(f"{side.consistency:.2f}") for side in conflict.sides))
    table.add_row(Text("support"), *(Text(_support(side.support)) for side in conflict.sides))
    table.add_row(Text("last said"), *(Text(moment(side.support.last_at)) for side in conflict.sides))
    stdout().print(table)
    if conflict.grounds is not None:
        by = conflict.decided_by or conflict.grounds.decided_by
        stdout().print(Text(printable(f"Grounds ({by}): {conflict.grounds.summary}")))
    stdout().print()


def show_explained(found: "Explained") -> None:
    """The sentence, then a table of steps with the words they rest on."""
    from rich.text import Text

    stdout().print(Text(printable(found.sentence), style="bold"))
    if not found.steps:
        return
    table = _table("when", "what", "words")
    for step in found.steps:
        words = Text() if step.episode is None else Text(printable(step.episode.text))
        if step.episode is not None:
            words.append(f"\n{step.episode.id}", style="dim")
        table.add_row(Text(moment(step.at)), Text(printable(step.what)), words)
    stdout().print(table)


def show_reviews(page: "ReviewPage") -> None:
    """A table of what waits, then where the page ended."""
    from rich.text import Text

    if not page.nodes:
        say("Nothing waits for a review.")
        return
    table = _table("item", "status", "reason", "conf.", "support", "text")
    for item in page.nodes:
        memory = item.memory
        table.add_row(
            Text(item.id, style="dim"),
            Text(memory.status.value, style=_STYLES.get(memory.status.value, "")),
            Text(printable(item.reason)),
            Text(f"{memory.confidence:.2f}"),
            Text(_support(item.support) if item.support else "-"),
            Text(printable(memory.text)),
        )
    stdout().print(table)
    _show_end(len(page.nodes), page.total_count, page.page_info)


def show_changed(changed: "Changed", *, said: str) -> None:
    """What was done, then the memories as they stand now."""
    from rich.text import Text

    say(said)
    table = _table("memory", "status", "conf.", "text")
    for memory in changed.memories:
        status = Text(memory.status.value, style=_STYLES.get(memory.status.value, ""))
        table.add_row(Text(memory.id, style="dim"), status, Text(f"{memory.confidence:.2f}"), Text(printable(memory.text)))
    if changed.memories:
        stdout().print(table)


def _table(*headings: str) -> "Table":
    from rich import box
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1))
    for heading in headings:
        table.add_column(heading, overflow="fold")
    return table


def _value(fact: "FoundFact") -> "Text":
    from rich.text import Text

    value = Text(printable(f"not: {fact.value}" if fact.negated else fact.value))
    if fact.suspect:
        value.append(f"\n[{', '.join(printable(code) for code in fact.suspect)}]", style="bold red")
    return value


def _support(support: "Support") -> str:
    """Origins are what counts as independent; events are occasions."""
    return f"{_number(support.origins, 'origin')}, {_number(support.events, 'event')}"


def _number(count: int, word: str) -> str:
    return f"{count} {word}" if count == 1 else f"{count} {word}s"


def _interval(fact: "FoundFact") -> str:
    if fact.valid_from is None and fact.valid_to is None:
        return "always"
    start = f"{fact.valid_from:%Y-%m-%d}" if fact.valid_from else ""
    return f"{start} .. {fact.valid_to:%Y-%m-%d}" if fact.valid_to else f"{start} .."


def _show_end(shown: int, total: int, end: "PageEnd") -> None:
    more = f"; go on with --after {end.end_cursor}" if end.has_next_page and end.end_cursor else ""
    say(f"{shown} of {total}{more}")
