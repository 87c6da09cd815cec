"""A service in a process of its own, for tests that kill it: starts the managed server, writes one node, says so, waits."""

import asyncio
import json
import sys
from pathlib import Path

from consilience.config import load_settings
from consilience.errors import CannotStart
from consilience.server.managed import ManagedNeo4j
from tests.server.bolt import ask, probe


async def main() -> None:
    settings = load_settings(home=Path(sys.argv[1]), heap_mb=1024, page_cache_mb=128)
    try:
        server = await ManagedNeo4j().start(settings, probe=probe, report=lambda _: None)
    except CannotStart as refusal:
        print(json.dumps({"refused": refusal.message, "hint": refusal.hint}), flush=True)
        sys.exit(refusal.exit_status)
    await ask(server, "MERGE (n:Witness {name: $name}) RETURN n.name", name=sys.argv[2])
    print(json.dumps({"pid": server.pid, "uri": server.uri}), flush=True)
    await asyncio.sleep(600)


if __name__ == "__main__":
    asyncio.run(main())
