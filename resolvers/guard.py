"""The one door of every root field: scope, space name. Runs before the resolver, so no port sees a foreign or ill-named space."""

from typing import Any, TypeVar

from strawberry.extensions.field_extension import AsyncExtensionResolver, FieldExtension
from strawberry.types.base import get_object_definition

from consilience.errors import Forbidden
from consilience.resolvers.context import Info
from consilience.resolvers.scopes import SCOPE_OF
from consilience.schema.checks import check_space

C = TypeVar("C", bound=type)


class Guard(FieldExtension):
    """Refuses whoever lacks the scope of the field, and every field that no scope opens."""

    async def resolve_async(self, next_: AsyncExtensionResolver, source: object, info: Info, **kwargs: Any) -> object:
        name = f"{info.path.typename}.{info.field_name}"
        scope = SCOPE_OF.get(name)
        if scope is None or scope not in info.context.principal.scopes:
            raise Forbidden(f"{name} is not open to {info.context.principal.name}", hint=f"needs the scope {scope}" if scope else None)
        space = kwargs.get("space", getattr(kwargs.get("input"), "space", None))
        if isinstance(space, str):
            check_space(space)
        return await next_(source, info, **kwargs)


def guarded(root: C) -> C:
    """A root type (Query, Mutation) with the guard before each of its fields."""
    for root_field in get_object_definition(root, strict=True).fields:
        root_field.extensions.append(Guard())
    return root
