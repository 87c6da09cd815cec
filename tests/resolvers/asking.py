"""Asking the schema, and reading answers without untyped dicts in every test."""

from functools import cache
from typing import Any

import strawberry
from strawberry.types import ExecutionResult

from consilience.resolvers.build import build_schema
from consilience.resolvers.context import LOCAL, Principal, context_for
from consilience.resolvers.ports import Ports


@cache
def the_schema(*, introspection: bool = True) -> strawberry.Schema:
    return build_schema(introspection=introspection)


async def ask(
    ports: Ports, query: str, *, principal: Principal = LOCAL, introspection: bool = True, **variables: object
) -> ExecutionResult:
    """One request through the whole edge but HTTP, the variables by name."""
    return await ask_with(ports, query, variables, principal=principal, introspection=introspection)


async def ask_with(
    ports: Ports, query: str, variables: dict[str, object], *, principal: Principal = LOCAL, introspection: bool = True
) -> ExecutionResult:
    schema = the_schema(introspection=introspection)
    return await schema.execute(query, variable_values=variables, context_value=context_for(ports, principal=principal))


def data_of(answer: ExecutionResult) -> dict[str, Any]:
    """The data of an answer without errors."""
    assert answer.errors is None, answer.errors
    assert answer.data is not None
    return answer.data


def codes_of(answer: ExecutionResult) -> list[str]:
    """The codes of an answer's errors, in order."""
    return [str((error.extensions or {}).get("code")) for error in answer.errors or ()]


def messages_of(answer: ExecutionResult) -> str:
    return "\n".join(error.message for error in answer.errors or ())
