"""The printed schema holds the contract, whole but for what schema/missing.py lists."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from graphql import (
    GraphQLEnumType,
    GraphQLInputObjectType,
    GraphQLInterfaceType,
    GraphQLNamedType,
    GraphQLObjectType,
    GraphQLSchema,
    GraphQLUnionType,
    print_ast,
)
from graphql import build_schema as from_sdl

import consilience.schema
from consilience.resolvers.scopes import ALL_SCOPES, SCOPE_OF
from consilience.schema.missing import MISSING
from tests.resolvers.asking import the_schema

CONTRACT = Path(str(consilience.schema.__file__)).with_name("contract.graphql")


@pytest.fixture(name="contract", scope="module")
def _contract() -> GraphQLSchema:
    return from_sdl(CONTRACT.read_text(encoding="utf-8"))


@pytest.fixture(name="printed", scope="module")
def _printed() -> GraphQLSchema:
    return from_sdl(the_schema().as_str())


def shape(item: Any) -> str:  # an argument or an input field; graphql-core leaves its list types open
    """Type and default as written."""
    literal = item.default.literal if item.default else None
    return f"{item.type} = {print_ast(literal)}" if literal else str(item.type)


def differences(contract: GraphQLSchema, printed: GraphQLSchema) -> Iterator[str]:
    """What the contract has and the printed schema has not, or has otherwise."""
    for name, wanted in contract.type_map.items():
        if name.startswith("__"):
            continue
        found = printed.type_map.get(name)
        if found is None:
            yield name
            if isinstance(wanted, GraphQLObjectType):
                yield from (f"{name}.{field}" for field in wanted.fields)
        elif type(found) is not type(wanted):
            yield f"{name} is a {type(found).__name__}"
        else:
            yield from type_differences(wanted, found)


def type_differences(wanted: GraphQLNamedType, found: GraphQLNamedType) -> Iterator[str]:
    name = wanted.name
    if isinstance(wanted, (GraphQLObjectType, GraphQLInterfaceType)):
        assert isinstance(found, (GraphQLObjectType, GraphQLInterfaceType))
        if {one.name for one in wanted.interfaces} - {one.name for one in found.interfaces}:
            yield f"{name} lacks an interface"
        for field, definition in wanted.fields.items():
            yield from field_differences(f"{name}.{field}", definition, found.fields.get(field))
    elif isinstance(wanted, GraphQLInputObjectType):
        assert isinstance(found, GraphQLInputObjectType)
        for field, definition in wanted.fields.items():
            got = found.fields.get(field)
            if got is None or shape(got) != shape(definition):
                yield f"{name}.{field} is {got and shape(got)}, not {shape(definition)}"
    elif isinstance(wanted, GraphQLEnumType):
        assert isinstance(found, GraphQLEnumType)
        if set(wanted.values) != set(found.values):
            yield f"{name} has other values"
    elif isinstance(wanted, GraphQLUnionType):
        assert isinstance(found, GraphQLUnionType)
        if {one.name for one in wanted.types} != {one.name for one in found.types}:
            yield f"{name} has other members"


def field_differences(name: str, wanted: Any, found: Any) -> Iterator[str]:
    if found is None:
        yield name
        return
    if str(wanted.type) != str(found.type):
        yield f"{name} is {found.type}, not {wanted.type}"
    for argument, definition in wanted.args.items():
        got = found.args.get(argument)
        if got is None or shape(got) != shape(definition):
            yield f"{name}({argument}) is {got and shape(got)}, not {shape(definition)}"
    for argument, got in found.args.items():
        if argument not in wanted.args and str(got.type).endswith("!") and got.default is None:
            yield f"{name}({argument}) is ours and required"


def test_the_printed_schema_holds_the_contract_but_for_what_is_listed_as_missing(contract: GraphQLSchema, printed: GraphQLSchema) -> None:
    """S14. Both ways: an absence that is not listed fails, an entry that exists by now fails."""
    assert set(differences(contract, printed)) == MISSING


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (("needed: Int!", "needed: Int"), "Support.needed"),
        (('source: String! = "conversation"', 'source: String! = "web"'), "EpisodeInput.source"),
        (("HELPED\n", "HELPED SAVED\n"), "Outcome has other values"),
        (("union ExportResult = Exported | Problem", "union ExportResult = Exported"), "ExportResult has other members"),
        (("evidence(first: Int = 20", "evidence(first: Int = 21"), "evidence(first)"),
        (("tookMs: Float!", "tookSeconds: Float!"), "Recall.tookMs"),
    ],
)
def test_the_comparison_sees_a_changed_type_default_value_member_argument_or_field(
    contract: GraphQLSchema, change: tuple[str, str], said: str
) -> None:
    """Positive control of the comparison."""
    sdl = the_schema().as_str()
    assert change[0] in sdl
    found = set(differences(contract, from_sdl(sdl.replace(*change)))) - MISSING
    assert any(said in one for one in found), found


def test_every_published_field_argument_holder_and_type_is_described(printed: GraphQLSchema) -> None:
    bare: list[str] = []
    for name, published in printed.type_map.items():
        if name.startswith("__") or name in {"String", "Int", "Float", "Boolean", "ID"}:
            continue
        root = name in {"Query", "Mutation"}
        bare += [name] if not published.description and not root else []
        if isinstance(published, (GraphQLObjectType, GraphQLInterfaceType, GraphQLInputObjectType)):
            bare += [f"{name}.{field}" for field, definition in published.fields.items() if not definition.description]
    assert bare == []


def test_every_root_field_has_a_scope_and_every_scope_entry_a_root_field(printed: GraphQLSchema) -> None:
    roots = [root for root in (printed.query_type, printed.mutation_type, printed.subscription_type) if root]
    assert {f"{root.name}.{field}" for root in roots for field in root.fields} == set(SCOPE_OF)
    assert set(SCOPE_OF.values()) <= ALL_SCOPES
