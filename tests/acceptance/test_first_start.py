"""Many services start at once on a database nobody has used (O5)."""

import asyncio
import json
import sys
from asyncio.subprocess import PIPE, Process

from consilience.schema.migrations import MIGRATIONS
from consilience.store.driver import Store
from consilience.store.migrate import migrate
from consilience.store.schema_audit import audit_schema
from tests.acceptance.own import Own, make_empty

pytest_plugins = ("tests.acceptance.private",)
PROCESSES = 8


async def schema(store: Store) -> dict[str, list[str]]:
    """All there is of one: names of constraints and indexes, versions recorded."""
    return {
        "constraints": sorted(row["name"] for row in await store.read("SHOW CONSTRAINTS YIELD name RETURN name")),
        "indexes": sorted(row["name"] for row in await store.read("SHOW INDEXES YIELD name, type WHERE type <> 'LOOKUP' RETURN name")),
        "versions": [str(row["v"]) for row in await store.read("MATCH (s:SchemaVersion) RETURN s.version AS v ORDER BY v")],
    }


async def a_process(own: Own, *, number: int) -> Process:
    address = own.address
    arguments = ("-m", "tests.acceptance.a_process", address.uri, address.user, address.password, str(number))
    return await asyncio.create_subprocess_exec(sys.executable, *arguments, stdin=PIPE, stdout=PIPE, stderr=PIPE)


async def test_eight_processes_start_at_once_on_an_empty_database(own: Own) -> None:
    """O5: all come up, each stores what it is told, and there is one schema: each migration ran once.

    Control: the schema is not there before, and is what a single start makes.
    """
    store = own.open()
    await make_empty(store)
    assert await schema(store) == {"constraints": [], "indexes": [], "versions": []}

    started = [await a_process(own, number=number) for number in range(PROCESSES)]
    try:
        for process in started:
            assert process.stdout is not None
            assert await asyncio.wait_for(process.stdout.readline(), 240) == b"ready\n"
        ends = await asyncio.gather(*(process.communicate(b"go\n") for process in started))
    finally:
        for process in started:
            if process.returncode is None:
                process.kill()
                await process.communicate()
    told = [err.decode()[-600:] for process, (_, err) in zip(started, ends, strict=True) if process.returncode]
    assert [process.returncode for process in started] == [0] * PROCESSES, told
    found = [json.loads(out) for out, _ in ends]
    assert {one["schema"] for one in found} == {MIGRATIONS[-1].version}
    assert [one["stored"] for one in found] == [1] * PROCESSES

    together = await schema(store)
    assert together["versions"] == [str(version) for version in range(MIGRATIONS[-1].version + 1)]  # 0 is the lock
    assert [finding for finding in await audit_schema(store) if not finding.ok] == []
    assert (await store.read("MATCH (e:Episode {space: 'first'}) RETURN count(e) AS n"))[0]["n"] == PROCESSES
    assert (await store.read("MATCH (s:Space) RETURN count(s) AS n"))[0]["n"] == 1

    await make_empty(store)
    await migrate(store)
    alone = await schema(store)
    assert set(together["indexes"]) - set(alone["indexes"]) == {"words_first", "meaning_512"}  # the space's and the embedder's
    assert (together["constraints"], together["versions"]) == (alone["constraints"], alone["versions"])
    await store.close()
