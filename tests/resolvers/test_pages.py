"""The reference pages of the API: every example is executed, every code and limit is the real one."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from consilience.errors import ConsilienceError, Refusal
from consilience.resolvers import limits, problems
from tests.resolvers.asking import ask_with, data_of
from tests.resolvers.belief_fakes import FakeBeliefs, a_conflict, a_fact
from tests.resolvers.fakes import FakePorts, an_episode

REFERENCE = Path(__file__).resolve().parents[2] / "docs" / "reference"
ERRORS = (REFERENCE / "errors.md").read_text(encoding="utf-8")
EXAMPLES: list[tuple[str, str]] = re.findall(
    r"```graphql\n(.*?)```(?:\n+```json variables\n(.*?)```)?", (REFERENCE / "graphql.md").read_text(encoding="utf-8"), re.DOTALL
)


@pytest.mark.parametrize(("query", "variables"), EXAMPLES, ids=[query.split()[1].partition("(")[0] for query, _ in EXAMPLES])
async def test_an_example_of_the_guide_is_answered_without_errors(query: str, variables: str) -> None:
    beliefs = FakeBeliefs(
        facts=[a_fact(1), a_fact(2, value="Nice")], rests_on={"fact_1": ["ep_1"]}, conflicts=[a_conflict("fact_1", "fact_2")]
    )
    ports = FakePorts(episodes=[an_episode(1), an_episode(2)], beliefs=beliefs)
    data = data_of(await ask_with(ports, query, json.loads(variables or "{}")))
    assert all(value is not None for value in data.values())
    assert "Problem" not in repr(data)


def test_the_guide_has_its_examples() -> None:
    assert len(EXAMPLES) == 14


def kinds_below(kind: type[ConsilienceError]) -> Iterator[type[ConsilienceError]]:
    for sub in kind.__subclasses__():
        if sub.__module__ == "consilience.errors":
            yield sub
            yield from kinds_below(sub)


def test_the_page_of_errors_lists_every_code_and_no_other() -> None:
    listed = re.findall(r"^\| `([A-Z_]+)` \|", ERRORS, re.MULTILINE)
    real = {kind.code for kind in kinds_below(ConsilienceError)} | {problems.INVALID_QUERY, problems.INTERNAL}
    assert sorted(listed) == sorted(real)


def test_the_refusals_are_listed_as_refusals() -> None:
    section = ERRORS.partition("## Refusals")[2].partition("\n## ")[0]
    refusals = {Refusal.code} | {kind.code for kind in kinds_below(Refusal)}
    assert set(re.findall(r"^\| `([A-Z_]+)` \|", section, re.MULTILINE)) == refusals


def test_the_page_of_errors_has_the_limits_in_force() -> None:
    section = ERRORS.partition("## Limits of one request")[2].partition("\n## ")[0]
    shown = [int(number) for number in re.findall(r"\| (\d+) \|$", section, re.MULTILINE)]
    in_force = limits.LIMITS
    assert shown == [limits.MAX_TOKENS, in_force.depth, in_force.fields, in_force.aliases, in_force.cost]
