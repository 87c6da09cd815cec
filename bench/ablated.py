"""`python -m bench.ablated PART`: the service with one of its mechanisms switched off, to see what that mechanism is worth.

The service has no such switches, on purpose; they are put in from outside here.
"""

import sys
from collections.abc import Callable
from dataclasses import replace
from importlib import import_module
from typing import Any, Final

from consilience.cli import main as consilience
from consilience.schema.beliefs import SlotEvidence
from consilience.schema.domain import Risk


def _put(module: str, name: str, made: Callable[[Any], object]) -> None:
    """Replaces a name of a module of ours by what `made` makes of it. Raises AttributeError if it is not there any more."""
    place = import_module(f"consilience.{module}")
    setattr(place, name, made(getattr(place, name)))


def _no_gates() -> None:
    """Nothing is quarantined, nothing is below a floor."""
    _put("retrieval.service", "RISK_FLOOR", lambda _: dict.fromkeys(Risk, 0.0))
    _put("trust.settle.layout", "gated", lambda _: _nothing_gated)


def _nothing_gated(_votes: object, **_: object) -> dict[str, str]:
    return {}


def _no_origins() -> None:
    """Each episode counts as an origin of its own."""

    def apart(settle: Callable[..., object]) -> Callable[..., object]:
        def settled(evidence: SlotEvidence, **rest: object) -> object:
            votes = tuple(replace(vote, group=vote.episode) for vote in evidence.votes)
            return settle(replace(evidence, votes=votes), **rest)

        return settled

    _put("consolidation.settling", "settle", apart)


def _no_settling() -> None:
    """Statements are kept, nothing follows from them."""

    def idle(_: object) -> Callable[..., object]:
        async def settle(*_: object, **__: object) -> None:
            return None

        return settle

    settler = import_module("consilience.consolidation.settling").Settler
    settler.settle = idle(settler.settle)


PARTS: Final[dict[str, Callable[[], None]]] = {"gates": _no_gates, "origins": _no_origins, "settling": _no_settling}


def main() -> int:
    PARTS[sys.argv[1]]()
    sys.argv = ["consilience", "serve"]
    return consilience()


if __name__ == "__main__":
    sys.exit(main())
