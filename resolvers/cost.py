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

from consilience.resolvers.pages import MAX_FIRST

ROOT_COST: Final = 500
MAX_NESTING: Final = 60
"""Levels walked, those of fragments included; deeper counts as this deep, so no chain of fragments exhausts the stack."""
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
            total = total.beside(meter.selection(node.selection_set, schema.get_root_type(node.operation), _Place(root=True)))
            total = total.beside(Size(depth=meter.deepest_fragment()))  # unused ones too: validation follows their chains as well
    return total


def _with_defaults(operation: OperationDefinitionNode, variables: Mapping[str, object]) -> Mapping[str, object]:
    """The variables as sent, and the default of each that was not."""
    declared = {item.variable.name.value: item.default_value for item in operation.variable_definitions or ()}
    return {**{name: default for name, default in declared.items() if default is not None}, **variables}


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a selection stands. `paged`: the page size is multiplied in already, so the list of nodes is not guessed again."""

    level: int = 0
    paged: bool = False
    root: bool = False

    def inner(self, *, paged: bool) -> "_Place":
        return _Place(level=self.level + 1, paged=paged)

    def opened(self) -> "_Place":
        """Inside a fragment: one level of the walk, none of the answer."""
        return replace(self, level=self.level + 1)


class _Meter:
    def __init__(self, document: DocumentNode, *, schema: GraphQLSchema, variables: Mapping[str, object]) -> None:
        self._schema = schema
        self._variables = variables
        self._fragments = {node.name.value: node for node in document.definitions if isinstance(node, FragmentDefinitionNode)}
        self._measured: dict[tuple[str, bool, bool], Size] = {}

    def selection(self, chosen: SelectionSetNode, parent: GraphQLNamedType | None, place: _Place) -> Size:
        if place.level > MAX_NESTING:
            return Size(depth=MAX_NESTING)
        total = Size()
        for node in chosen.selections:
            if isinstance(node, FieldNode):
                total = total.beside(self._field(node, parent, place))
            elif isinstance(node, FragmentSpreadNode):
                total = total.beside(self._fragment(node.name.value, place))
            elif isinstance(node, InlineFragmentNode):
                on = self._schema.get_type(node.type_condition.name.value) if node.type_condition else parent
                total = total.beside(self.selection(node.selection_set, on, place.opened()))
        return total

    def deepest_fragment(self) -> int:
        return max((self._fragment(name, _Place()).depth for name in self._fragments), default=0)

    def _fragment(self, name: str, place: _Place) -> Size:
        key = (name, place.paged, place.root)
        if key not in self._measured:
            self._measured[key] = Size()  # what a cycle meets: validation refuses it
            fragment = self._fragments.get(name)
            if fragment is not None:
                on = self._schema.get_type(fragment.type_condition.name.value)
                self._measured[key] = self.selection(fragment.selection_set, on, place.opened())
        return replace(self._measured[key], fields=self._measured[key].fields + 1)

    def _field(self, node: FieldNode, parent: GraphQLNamedType | None, place: _Place) -> Size:
        known = parent.fields.get(node.name.value) if isinstance(parent, (GraphQLObjectType, GraphQLInterfaceType)) else None
        weight, aliases, times, inside = ROOT_COST if place.root else 1, int(node.alias is not None), 1, Size()
        if node.selection_set is not None:
            pages = self._pages(node, known)
            notation = "" if known is None else str(known.type)  # such as [Job!]!
            times = pages if pages is not None else LIST_GUESS if notation.startswith("[") and not place.paged else 1
            below = self._schema.get_type(notation.strip("[]!"))
            inside = self.selection(node.selection_set, below, place.inner(paged=pages is not None))
        # Introspection has no pages, and its depth is that of the type system: a rule of graphql-core bounds it.
        depth = 0 if node.name.value.startswith("__") and inside.depth < MAX_NESTING else inside.depth + 1
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
            held = int(held.value) if len(held.value) < 12 else MAX_FIRST
        chosen = held if isinstance(held, int) else default
        return min(max(1, chosen), MAX_FIRST) if isinstance(chosen, int) else 1  # outside, the field itself refuses

    def _length(self, value: object, name: str) -> int:
        held = self._value(self._inner(value, name))
        if isinstance(held, ListValueNode):
            return len(held.values)
        return len(cast(list[object], held)) if isinstance(held, list) else 0
