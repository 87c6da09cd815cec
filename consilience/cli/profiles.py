"""Identities, profiles and ends of sessions as a reader at a terminal sees them."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from consilience.cli.console import moment, printable, say, stdout

if TYPE_CHECKING:
    from consilience.client.beliefs import FoundFact
    from consilience.client.profiles import Ended, FoundIdentity, FoundProfile


def show_identity(found: "FoundIdentity") -> None:
    """Name and role, then the introduction, traits and rules."""
    from rich.text import Text

    stdout().print(Text(printable(f"{found.name}: {found.role}"), style="bold"))
    stdout().print(Text(printable(found.introduction)))
    _list("Traits", found.traits)
    _list("Hard rules", found.hard_rules)


def show_profile(found: "FoundProfile") -> None:
    """Who and how well known, then preferences, then what is only observed."""
    from rich.text import Text

    who = found.form_of_address or found.contributor.name or found.contributor.external_id
    stdout().print(Text(printable(f"{who} ({found.stage.value})"), style="bold"))
    _list("Preferences", [_fact(fact) for fact in found.preferences])
    _list("Observed", [_fact(fact) for fact in found.observing])


def show_ended(found: "Ended") -> None:
    """When it ended, then whatever it came to."""
    say(f"Ended {moment(found.session.ended_at)}.")
    if found.summary is None and not found.facts and not found.todos and not found.events:
        say("Nothing to keep.")
    if found.summary is not None:
        _list("Summary", found.summary.text.splitlines())
    _list("Facts", [_fact(fact) for fact in found.facts])
    _list("To do", found.todos)
    _list("Events", found.events)


def _list(heading: str, lines: Sequence[str]) -> None:
    from rich.text import Text

    if lines:
        stdout().print(Text(heading, style="dim"))
        for line in lines:
            stdout().print(Text(f"  {printable(line)}"))


def _fact(fact: "FoundFact") -> str:
    value = f"not {fact.value}" if fact.negated else fact.value
    return f"{fact.predicate}: {value} ({fact.status.value}, {fact.confidence:.2f})"
