"""What a caller learns of an error, and what the log does. Two ways out of a resolver besides its answer:

a Refusal where the field's type has a Problem becomes one; every other error is an entry of `errors` with a code.
Unexpected errors are masked with a random id that stands in the log too. The log gets ids, codes, type names and field
names of the schema: never a message, an argument, an alias or the query.
"""

import re
import secrets
from collections.abc import Iterable
from typing import Final

import strawberry
import structlog
from graphql import FieldNode, FragmentDefinitionNode, FragmentSpreadNode, GraphQLError, OperationDefinitionNode, SelectionNode
from graphql.language import DocumentNode, InlineFragmentNode
from strawberry.types import Info as AnyInfo
from strawberry.types.field import StrawberryField

from consilience.errors import ConsilienceError, Refusal
from consilience.resolvers.answers import Problem

INVALID_QUERY: Final = "INVALID_QUERY"
INVALID_INPUT: Final = "INVALID_INPUT"
TOO_LARGE: Final = "TOO_LARGE"
INTERNAL: Final = "INTERNAL"

_log: Final = structlog.get_logger("consilience.resolvers")
_SUGGESTION: Final = re.compile(r" Did you mean [^?]*\?")
# What graphql-core says of values sent. It quotes them, so it goes to the caller only. The first can also come while a field runs.
_BAD_VALUE: Final = re.compile(r"(Variable|Argument) '[^']*' has invalid value")
_BAD_LITERAL: Final = re.compile(
    r"Expected value of type |(Int|Float|String|Boolean|ID) cannot represent |Value .* does not exist in ", re.DOTALL
)
_TOO_LARGE: Final = re.compile(r"Syntax Error: Document (contains more|is nested too deeply)|Validation aborted")


class RefusalHandler(strawberry.ExceptionHandler[Refusal, Problem]):
    """A Refusal as the Problem of a result union: the one place that does it."""

    def handle(self, exception: Refusal, *, field: StrawberryField, info: AnyInfo) -> Problem:
        _log.info("refused", code=exception.code, field=info.field_name)
        return Problem.of(exception)


def published(error: GraphQLError, *, document: DocumentNode | None) -> GraphQLError:
    """The error as the caller gets it; logged on the way."""
    cause = _cause(error)
    path = field_path(document, [step for step in error.path or () if isinstance(step, str)])
    if isinstance(cause, ConsilienceError):
        _log.info("refused", code=cause.code, path=path)
        return _entry(error, message=cause.message, code=cause.code, hint=cause.hint, field=cause.field)
    if cause is None and _is_callers(error):
        ours = error.extensions or {}  # of the limits and the scalars
        hint, field = ours.get("hint"), ours.get("field")
        return _entry(error, message=_SUGGESTION.sub("", error.message), code=ours.get("code") or _code(error), hint=hint, field=field)
    error_id = secrets.token_hex(8)
    _log.error("internal_error", error_id=error_id, error_type=type(cause or error).__qualname__, path=path)
    return _entry(error, message=f"internal error {error_id}", code=INTERNAL, hint="the service's log has the id")


def _cause(error: GraphQLError) -> Exception | None:
    """What was raised first, if it was not GraphQL itself that objected."""
    cause: Exception | None = error
    while isinstance(cause, GraphQLError):
        cause = cause.original_error
    return cause


def _is_callers(error: GraphQLError) -> bool:
    """Whether GraphQL objects to the request (its document, variables or arguments), not to an answer of ours."""
    return not error.path or _BAD_VALUE.match(error.message) is not None


def _code(error: GraphQLError) -> str:
    if _TOO_LARGE.match(error.message):
        return TOO_LARGE
    return INVALID_INPUT if _BAD_VALUE.match(error.message) or _BAD_LITERAL.match(error.message) else INVALID_QUERY


def _entry(error: GraphQLError, *, message: str, code: str, hint: str | None = None, field: str | None = None) -> GraphQLError:
    extensions = {name: value for name, value in (("code", code), ("hint", hint), ("field", field)) if value is not None}
    return GraphQLError(message, nodes=error.nodes, source=error.source, positions=error.positions, path=error.path, extensions=extensions)


def field_path(document: DocumentNode | None, keys: list[str]) -> str:
    """The schema's field names along response keys, dotted: a key may be an alias, and an alias is the caller's text."""
    if document is None:
        return ""
    fragments = {node.name.value: node for node in document.definitions if isinstance(node, FragmentDefinitionNode)}
    level = [
        choice for node in document.definitions if isinstance(node, OperationDefinitionNode) for choice in node.selection_set.selections
    ]
    names: list[str] = []
    for key in keys:
        chosen = [node for node in _fields(level, fragments=fragments) if (node.alias or node.name).value == key]
        names.append(chosen[0].name.value if chosen else "?")
        level = [choice for node in chosen if node.selection_set for choice in node.selection_set.selections]
    return ".".join(names)


def _fields(level: Iterable[SelectionNode], *, fragments: dict[str, FragmentDefinitionNode]) -> list[FieldNode]:
    """The fields of one level, fragments opened, each fragment once."""
    waiting, found, opened = list(level), list[FieldNode](), set[str]()
    while waiting:
        choice = waiting.pop()
        if isinstance(choice, FieldNode):
            found.append(choice)
        elif isinstance(choice, FragmentSpreadNode):
            name = choice.name.value
            if name in fragments and name not in opened:
                opened.add(name)
                waiting.extend(fragments[name].selection_set.selections)
        elif isinstance(choice, InlineFragmentNode):
            waiting.extend(choice.selection_set.selections)
    return found
