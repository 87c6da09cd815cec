"""The one door of every root field: scope, space name. Runs before the resolver, so no port sees a foreign or ill-named space."""

import re
from typing import Any, Final, TypeVar

from strawberry.extensions.field_extension import AsyncExtensionResolver, FieldExtension
from strawberry.types.base import get_object_definition

from consilience.errors import Forbidden, InvalidInput
from consilience.resolvers.context import Info
from consilience.resolvers.scopes import SCOPE_OF

_SPACE_NAME: Final = re.compile(r"[a-z0-9][a-z0-9_-]{0,62}", re.ASCII)
C = TypeVar("C", bound=type)


def checked_space(name: str) -> str:
    """The name if it is one a space can have. Raises InvalidInput."""
    if not _SPACE_NAME.fullmatch(name):
        raise InvalidInput("no space can have this name", hint="1 to 63 of a-z, 0-9, _ and -, a letter or digit first", field="space")
    return name


class Guard(FieldExtension):
    """Refuses whoever lacks the scope of the field, and every field that no scope opens."""

    async def resolve_async(self, next_: AsyncExtensionResolver, source: object, info: Info, **kwargs: Any) -> object:
        name = f"{info.path.typename}.{info.field_name}"
        scope = SCOPE_OF.get(name)
        if scope is None or scope not in info.context.principal.scopes:
            raise Forbidden(f"{name} is not open to {info.context.principal.name}", hint=f"needs the scope {scope}" if scope else None)
        space = kwargs.get("space", getattr(kwargs.get("input"), "space", None))
        if isinstance(space, str):
            checked_space(space)
        return await next_(source, info, **kwargs)


def guarded(root: C) -> C:
    """A root type (Query, Mutation) with the guard before each of its fields."""
    for root_field in get_object_definition(root, strict=True).fields:
        root_field.extensions.append(Guard())
    return root
