"""`python -m bench.ablated PART`: the service with one of its mechanisms switched off, to see what that mechanism is worth.

The service has no such switches, on purpose; they are put in from outside here.
"""

import sys
from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final

from consilience.schema.domain import Risk


def _no_gates() -> None:
    """Nothing is quarantined, nothing is below a floor."""
    from consilience.retrieval import service
    from consilience.trust.settle import layout

    service.RISK_FLOOR = dict.fromkeys(Risk, 0.0)  # type: ignore[misc]
    layout.gated = lambda *_, **__: {}


def _no_origins() -> None:
    """Each episode counts as an origin of its own."""
    from consilience.consolidation import settling

    settle: Callable[..., Any] = settling.settle

    def apart(evidence: Any, **rest: Any) -> Any:
        votes = tuple(replace(vote, group=vote.episode) for vote in evidence.votes)
        return settle(replace(evidence, votes=votes), **rest)

    settling.settle = apart


def _no_settling() -> None:
    """Statements are kept, nothing follows from them."""
    from consilience.consolidation.settling import Settler

    async def settle(*_: object, **__: object) -> None:
        return None

    Settler.settle = settle  # type: ignore[method-assign,assignment]


PARTS: Final[dict[str, Callable[[], None]]] = {"gates": _no_gates, "origins": _no_origins, "settling": _no_settling}


def main() -> None:
    PARTS[sys.argv[1]]()
    from consilience.__main__ import main as serve

    sys.argv = ["consilience", "serve"]
    serve()


if __name__ == "__main__":
    main()
