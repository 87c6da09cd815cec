"""Limits of one request, checked between parsing and validation: whoever asks too much is told before it costs anything."""

import math
from collections.abc import Iterator
from typing import Final

from graphql import FloatValueNode, GraphQLError, IntValueNode, StringValueNode, Visitor, visit
from graphql.language import DocumentNode
from strawberry.extensions import SchemaExtension

from consilience.resolvers.cost import Size, size_of
from consilience.resolvers.problems import INVALID_INPUT, TOO_LARGE
from consilience.resolvers.scalars import input_problems, text_problem

# Measured: validation compares fields of one name pairwise, so fields, not tokens, bound its time.
LIMITS: Final = Size(depth=15, fields=500, aliases=100, cost=60_000)
MAX_TOKENS: Final = 10_000
_WORDS: Final = {
    "depth": "levels deep",
    "fields": "fields and fragments",
    "aliases": "aliases",
    "cost": "in cost (fields times page sizes)",
}


class RequestLimits(SchemaExtension):
    """Tokens while parsing; then strings, depth, fields, aliases and cost; then GraphQL's own validation."""

    def on_operation(self) -> Iterator[None]:
        self.execution_context.parse_options["max_tokens"] = MAX_TOKENS
        yield

    def on_validate(self) -> Iterator[None]:
        context = self.execution_context
        document = context.graphql_document
        if document is not None and context.pre_execution_errors is None:
            variables = context.variables or {}
            size = size_of(document, schema=context.schema._schema, variables=variables)  # pyright: ignore[reportPrivateUsage]  # no public way
            refused = [*_too_large(size), *_bad_input(document, variables)]
            if refused:
                context.pre_execution_errors = refused
        yield


def _too_large(size: Size) -> Iterator[GraphQLError]:
    for name, words in _WORDS.items():
        asked, most = getattr(size, name), getattr(LIMITS, name)
        if asked > most:
            number = str(asked) if asked < 10**9 else "over 10^9"
            hint = "ask for fewer fields or smaller pages, or send several requests"
            yield GraphQLError(f"the query is {number} {words}; {most} are allowed", extensions={"code": TOO_LARGE, "hint": hint})


def _bad_input(document: DocumentNode, variables: dict[str, object]) -> Iterator[GraphQLError]:
    for path, reason in input_problems(variables):
        yield GraphQLError(f"variable ${path} {reason}", extensions={"code": INVALID_INPUT, "field": path})
    literals = _Literals()
    visit(document, literals)
    for reason in literals.reasons:
        yield GraphQLError(reason, extensions={"code": INVALID_INPUT})


class _Literals(Visitor):
    """Reasons against the literals of a document: strings that are no text, numbers that are no finite float."""

    def __init__(self) -> None:
        super().__init__()
        self.reasons: set[str] = set()

    def enter_string_value(self, node: StringValueNode, *_: object) -> None:
        if reason := text_problem(node.value):
            self.reasons.add(f"a string in the query {reason}")

    def enter_float_value(self, node: FloatValueNode, *_: object) -> None:
        if not math.isfinite(float(node.value)):
            self.reasons.add("a number in the query is out of range")

    def enter_int_value(self, node: IntValueNode, *_: object) -> None:
        if not math.isfinite(float(node.value)):  # float, not int: reading digits as an int takes quadratic time
            self.reasons.add("a number in the query is out of range")
