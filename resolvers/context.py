"""What every resolver of one request sees: the ports, who asks, the loaders."""

from dataclasses import dataclass
from typing import TypeAlias

import strawberry

from consilience.resolvers.loaders import Loaders, loaders_of
from consilience.resolvers.ports import Ports
from consilience.resolvers.scopes import ALL_SCOPES, CURATE


@dataclass(frozen=True, slots=True)
class Principal:
    """Who asks. `name` stands in the audit; `scopes` are names of resolvers/scopes.py."""

    name: str
    scopes: frozenset[str]


LOCAL = Principal(name="local", scopes=ALL_SCOPES)
"""The one principal of a service on loopback without configuration."""


@dataclass(frozen=True, slots=True)
class Context:
    ports: Ports
    principal: Principal
    loaders: Loaders

    @property
    def curator(self) -> bool:
        """Whether who asks sees what was stopped at the write gate, and exact counts."""
        return CURATE in self.principal.scopes


Info: TypeAlias = strawberry.Info[Context, None]


def context_for(ports: Ports, *, principal: Principal = LOCAL) -> Context:
    """The context of one request: never shared, its loaders cache."""
    return Context(ports=ports, principal=principal, loaders=loaders_of(ports))
