"""How large a request is before anything runs: depth, fields, aliases, and the cost of what it may return. Pure.

Each named fragment is measured once, so a chain of fragments that doubles at every link (2 ** n fields) costs n steps here;
its true size is then a number, and refused. Cost is the sum over fields of 1 (ROOT_COST for a root field) times the sizes
of the pages they are in.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final, cast

from graphql import (
    FieldNode,
    FragmentDefinitionNode,
    FragmentSpreadNode,
    GraphQLField,
    GraphQLInterfaceType,
    GraphQLNamedType,
    GraphQLObjectType,
    GraphQLSchema,
    IntValueNode,
    ListValueNode,
    ObjectValueNode,
    OperationDefinitionNode,
    SelectionSetNode,
    Undefined,
    ValueNode,
    VariableNode,
)
from graphql.language import DocumentNode, InlineFragmentNode

ROOT_COST: Final = 500
LIST_GUESS: Final = 5
"""Assumed length of a list of objects that is not paged."""


@dataclass(frozen=True, slots=True)
class Size:
    depth: int = 0
    fields: int = 0
    aliases: int = 0
    cost: int = 0

    def beside(self, other: "Size") -> "Size":
        """Both in one selection."""
        return Size(max(self.depth, other.depth), self.fields + other.fields, self.aliases + other.aliases, self.cost + other.cost)


def size_of(document: DocumentNode, *, schema: GraphQLSchema, variables: Mapping[str, object]) -> Size:
    """The size of all operations of a document together. Unknown names count as leaves: validation refuses them."""
    total = Size()
    for node in document.definitions:
        if isinstance(node, OperationDefinitionNode):
            meter = _Meter(document, schema=schema, variables=_with_defaults(node, variables))
            total = total.beside(meter.selection(node.selection_set, schema.get_root_type(node.operation), paged=False, root=True))
    return total


def _with_defaults(operation: OperationDefinitionNode, variables: Mapping[str, object]) -> Mapping[str, object]:
    """The variables as sent, and the default of each that was not."""
    declared = {item.variable.name.value: item.default_value for item in operation.variable_definitions or ()}
    return {**{name: default for name, default in declared.items() if default is not None}, **variables}


class _Meter:
    def __init__(self, document: DocumentNode, *, schema: GraphQLSchema, variables: Mapping[str, object]) -> None:
        self._schema = schema
        self._variables = variables
        self._fragments = {node.name.value: node for node in document.definitions if isinstance(node, FragmentDefinitionNode)}
        self._measured: dict[tuple[str, bool, bool], Size] = {}

    def selection(self, chosen: SelectionSetNode, parent: GraphQLNamedType | None, *, paged: bool, root: bool = False) -> Size:
        """`paged`: the parent's page size is already multiplied in, so its list of nodes is not guessed again."""
        total = Size()
        for node in chosen.selections:
            if isinstance(node, FieldNode):
                part = self._field(node, parent, paged=paged, root=root)
            elif isinstance(node, FragmentSpreadNode):
                part = self._fragment(node.name.value, paged=paged, root=root)
            else:
                part = self._inline(node, parent, paged=paged, root=root) if isinstance(node, InlineFragmentNode) else Size()
            total = total.beside(part)
        return total

    def _inline(self, node: InlineFragmentNode, parent: GraphQLNamedType | None, *, paged: bool, root: bool) -> Size:
        on = self._schema.get_type(node.type_condition.name.value) if node.type_condition else parent
        return self.selection(node.selection_set, on, paged=paged, root=root)

    def _fragment(self, name: str, *, paged: bool, root: bool) -> Size:
        key = (name, paged, root)
        if key not in self._measured:
            self._measured[key] = Size()  # what a cycle meets: validation refuses it
            fragment = self._fragments.get(name)
            if fragment is not None:
                on = self._schema.get_type(fragment.type_condition.name.value)
                self._measured[key] = self.selection(fragment.selection_set, on, paged=paged, root=root)
        return replace(self._measured[key], fields=self._measured[key].fields + 1)

    def _field(self, node: FieldNode, parent: GraphQLNamedType | None, *, paged: bool, root: bool) -> Size:
        known = parent.fields.get(node.name.value) if isinstance(parent, (GraphQLObjectType, GraphQLInterfaceType)) else None
        weight, aliases, times, inside = ROOT_COST if root else 1, int(node.alias is not None), 1, Size()
        if node.selection_set is not None:
            pages = self._pages(node, known)
            notation = "" if known is None else str(known.type)  # such as [Job!]!
            times = pages if pages is not None else LIST_GUESS if notation.startswith("[") and not paged else 1
            below = self._schema.get_type(notation.strip("[]!"))
            inside = self.selection(node.selection_set, below, paged=pages is not None)
        # Introspection is bounded by rules of its own: it has no pages, and its depth is that of the type system.
        depth = 0 if node.name.value.startswith("__") else inside.depth + 1
        return Size(depth, inside.fields + 1, inside.aliases + aliases, weight + times * inside.cost)

    def _pages(self, node: FieldNode, known: GraphQLField | None) -> int | None:
        """How many things the field returns at most, None if it is not paged."""
        if known is None:
            return None
        given: dict[str, ValueNode] = {argument.name.value: argument.value for argument in node.arguments or ()}
        if "first" in known.args:
            default = known.args["first"].default_value
            return self._number(given.get("first"), default=default if default is not Undefined else 1)
        if "input" in known.args:
            return max(self._number(self._inner(given.get("input"), "first"), default=5), self._length(given.get("input"), "episodes"))
        return None

    def _value(self, value: object) -> object:
        """A variable's value; a literal as it is."""
        return self._variables.get(value.name.value) if isinstance(value, VariableNode) else value

    def _inner(self, value: object, name: str) -> object:
        held = self._value(value)
        if isinstance(held, Mapping):
            return cast(Mapping[str, object], held).get(name)
        if isinstance(held, ObjectValueNode):
            return next((item.value for item in held.fields if item.name.value == name), None)
        return None

    def _number(self, value: object, *, default: object) -> int:
        held = self._value(value)
        if isinstance(held, IntValueNode):
            held = int(held.value) if len(held.value) < 12 else 0
        chosen = held if isinstance(held, int) else default
        return max(1, chosen) if isinstance(chosen, int) else 1

    def _length(self, value: object, name: str) -> int:
        held = self._value(self._inner(value, name))
        if isinstance(held, ListValueNode):
            return len(held.values)
        return len(cast(list[object], held)) if isinstance(held, list) else 0
