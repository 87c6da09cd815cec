"""The demonstration: the sample conversation is remembered, asked questions, and the answers shown with who said them."""

import asyncio
import json
import time
from dataclasses import dataclass
from importlib.resources import files
from typing import TYPE_CHECKING, Final

from pydantic import TypeAdapter

from consilience.cli.calling import client_of
from consilience.cli.console import say, stdout
from consilience.cli.formats import Form, parse
from consilience.cli.hits import show_found
from consilience.errors import ServiceUnavailable
from consilience.schema.domain import NewEpisode, Recollection, Wait

if TYPE_CHECKING:
    from consilience.client import Found

SAMPLE: Final = files("consilience").joinpath("app", "sample")
_READY_TIMEOUT_S: Final = 60.0


@dataclass(frozen=True, slots=True)
class Question:
    """`asker`: a contributor's externalId. `first`: the externalId of a good first hit. `shows`: what to look at in the answer."""

    query: str
    asker: str
    first: str
    shows: str


@dataclass(frozen=True, slots=True)
class Questions:
    space: str
    questions: tuple[Question, ...]


@dataclass(frozen=True, slots=True)
class Answer:
    question: Question
    found: "Found"


def load_questions() -> Questions:
    return TypeAdapter(Questions).validate_python(json.loads(SAMPLE.joinpath("questions.json").read_text(encoding="utf-8")))


def load_conversation() -> tuple[NewEpisode, ...]:
    parsed = parse(SAMPLE.joinpath("team.jsonl").read_bytes(), form=Form.JSONL)
    return tuple(line.episode for line in parsed.good)


def demonstrate(url: str, *, space: str | None = None, quiet: bool = False) -> list[Answer]:
    """Remembers the sample (once, however often it is called), asks its questions, prints the answers unless `quiet`.

    Raises what the client raises.
    """
    _wait_ready(url)
    return asyncio.run(_demonstrate(url, space=space, quiet=quiet))


async def _demonstrate(url: str, *, space: str | None, quiet: bool) -> list[Answer]:
    asked, conversation = load_questions(), load_conversation()
    space = space or asked.space
    answers: list[Answer] = []
    async with client_of(url) as client:
        # The other key of the sample, `web`, stays unregistered: it counts 0.2, and the gates hold what came through it back.
        await client.register_source("internal_tool", channel="internal_tool", space=space)
        stored = await client.remember(conversation, space=space, wait=Wait.SETTLED)
        if not quiet:
            people = len({episode.contributor for episode in conversation})
            again = " (it was there already)" if stored.duplicates == len(conversation) else ""
            say(f"\nThe sample conversation: {len(conversation)} episodes by {people} people in space {space}{again}.")
        for question in asked.questions:
            found = await client.recall(Recollection(query=question.query, space=space, asker=question.asker, first=3))
            answers.append(Answer(question=question, found=found))
            if not quiet:
                _show(answers[-1])
    if not quiet:
        say(f'\nAsk your own: consilience recall "..." --space {space}')
    return answers


def _show(answer: Answer) -> None:
    from rich.text import Text

    stdout().print(Text(f"\n{answer.question.asker} asks: {answer.question.query}", style="bold"))
    stdout().print(Text(answer.question.shows, style="dim"))
    show_found(answer.found)


def _wait_ready(url: str) -> None:
    from consilience.cli.background import is_ready

    deadline = time.monotonic() + _READY_TIMEOUT_S
    while not is_ready(url):
        if time.monotonic() > deadline:
            raise ServiceUnavailable(f"the service at {url} is not ready", hint="see `consilience status` and `consilience doctor`")
        time.sleep(0.2)
