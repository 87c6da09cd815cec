"""The service dies, Neo4j dies, Neo4j stops answering, work fails: nothing acknowledged is lost, nothing is doubled, all is told."""

import asyncio
import json
import signal
import time
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path

import httpx
import psutil
import pytest

from tests.cli.process import run
from tests.end_to_end.service import REMEMBER, Service, ask, code_of, episodes, post
from tests.failure.graph import Counts, assert_audit_whole, counts, sessions_in_order, stored_keys

ALL = 2000
BATCH = 50
SESSIONS = 4


async def send_all(url: str, *, space: str, acknowledged: list[int]) -> int:
    """Sends the 2,000 in batches, one after the other; returns how many were there already. Ends early when nobody answers."""
    doubles = 0
    for start in range(0, ALL, BATCH):
        numbers = range(start, start + BATCH)
        given = episodes(numbers, prefix="n", session=f"s{start // BATCH % SESSIONS}")
        try:
            answer = await ask(url, REMEMBER, input={"space": space, "episodes": given, "wait": "STORED"})
        except httpx.TransportError:
            return doubles
        assert answer["remember"]["__typename"] == "Remembered", answer
        acknowledged.extend(numbers)
        doubles += answer["remember"]["duplicates"]
    return doubles


async def settled(service: Service, *, space: str, timeout_s: float = 240) -> Counts:
    """The counts once everything of the space is digested."""
    deadline = time.monotonic() + timeout_s
    async with service.store() as store:
        while (found := await counts(store, space=space)).digested < found.episodes:
            assert time.monotonic() < deadline, found
            await asyncio.sleep(0.3)
    return found


async def test_kill_9_amid_2000_episodes_loses_none_and_doubles_none(service: Service, space: str) -> None:
    """Control: when it was killed, less than all was stored and less than what was stored was digested."""
    acknowledged: list[int] = []
    sending = asyncio.create_task(send_all(service.url, space=space, acknowledged=acknowledged))
    async with service.store() as store:
        while len(acknowledged) < ALL // 3 or not (await counts(store, space=space)).digested:
            assert not sending.done(), "positive control: it must be killed in the middle"
            await asyncio.sleep(0.02)
        await service.kill()
        await sending
        left = await counts(store, space=space)
        keys = await stored_keys(store, space=space)
    print(f"killed after {len(acknowledged)} acknowledged: {left}")
    assert len(acknowledged) <= left.episodes < ALL
    assert left.digested < left.episodes
    assert {f"n-{number}" for number in acknowledged} <= keys.keys()

    orphan = service.jvm()
    assert orphan is not None, "its Neo4j outlives a service killed without warning"
    print(f"second start: {await service.start():.1f} s")
    adopted = service.jvm()
    assert adopted is not None
    assert adopted.pid == orphan.pid, "and is taken over"

    again: list[int] = []
    doubles = await send_all(service.url, space=space, acknowledged=again)
    assert (len(again), doubles) == (ALL, left.episodes)
    found = await settled(service, space=space)
    assert found == Counts(ALL, ALL, ALL, ALL, ALL)
    async with service.store() as store:
        await assert_audit_whole(store, space=space, episodes=ALL)
        chains = await sessions_in_order(store, space=space)
    sent = {
        f"s{session}": [f"n-{start + i}" for start in range(session * BATCH, ALL, BATCH * SESSIONS) for i in range(BATCH)]
        for session in range(SESSIONS)
    }
    assert chains == sent
    assert (await ask(service.url, "{ status { pendingJobs deadJobs healthy } }"))["status"] == {
        "pendingJobs": 0,
        "deadJobs": 0,
        "healthy": True,
    }


@dataclass(slots=True)
class Writers:
    """Clients that write one small batch after the other, and repeat what was refused until it is acknowledged."""

    url: str
    space: str
    stop: asyncio.Event = field(default_factory=asyncio.Event)
    acknowledged: list[str] = field(default_factory=list[str])
    refused: list[str] = field(default_factory=list[str])

    async def run(self, clients: int = 4) -> None:
        await asyncio.gather(*(self._write(client) for client in range(clients)))

    async def reach(self, number: int, *, writing: "asyncio.Task[None]", timeout_s: float = 300) -> None:
        """Until so many are acknowledged."""
        deadline = time.monotonic() + timeout_s
        while len(self.acknowledged) < number:
            assert not writing.done(), writing
            assert time.monotonic() < deadline
            await asyncio.sleep(0.05)

    async def _write(self, client: int) -> None:
        for batch in count():
            given = episodes(range(batch * 3, batch * 3 + 3), prefix=f"w{client}", session=f"w{client}")
            while (code := code_of(await post(self.url, REMEMBER, input={"space": self.space, "episodes": given}))) is not None:
                self.refused.append(code)
                await asyncio.sleep(0.2)
            self.acknowledged.extend(str(one["externalId"]) for one in given)
            if self.stop.is_set():
                return
            await asyncio.sleep(0.05)


async def assert_nothing_lost(service: Service, writers: Writers) -> None:
    found = await settled(service, space=writers.space)
    async with service.store() as store:
        keys = await stored_keys(store, space=writers.space)
        await assert_audit_whole(store, space=writers.space, episodes=found.episodes)
        chains = await sessions_in_order(store, space=writers.space)
    assert keys == dict.fromkeys(writers.acknowledged, 1), "every acknowledged episode once, and no other"
    for client, chain in chains.items():
        assert chain == [f"{client}-{number}" for number in range(len(chain))]


async def test_a_killed_neo4j_is_started_again_and_no_acknowledged_write_is_lost(service: Service, space: str) -> None:
    """O10. Control: writes were acknowledged before and after, and some met the outage."""
    writers = Writers(service.url, space)
    writing = asyncio.create_task(writers.run())
    await writers.reach(60, writing=writing)
    killed = service.jvm()
    assert killed is not None
    killed.send_signal(signal.SIGKILL)
    before, begun = len(writers.acknowledged), time.monotonic()
    unready = await wait_for_readiness(service, ready=False)
    assert await wait_for_readiness(service, ready=True) >= unready
    await writers.reach(before + 60, writing=writing)
    writers.stop.set()
    await writing
    print(f"away {time.monotonic() - begun:.0f} s; {before} acknowledged before, {len(writers.acknowledged)} in all; {writers.refused}")
    started = service.jvm()
    assert started is not None
    assert started.pid != killed.pid
    assert set(writers.refused) <= {"STORE_UNAVAILABLE"}, "retried until it is back, or refused clearly with one code"
    assert "INTERNAL" not in service.said()
    await assert_nothing_lost(service, writers)
    logged = [json.loads(line) for line in service.said().splitlines() if line.startswith("{")]
    assert {"neo4j_ended", "neo4j_restarted"} <= {line["event"] for line in logged}


async def wait_for_readiness(service: Service, *, ready: bool, timeout_s: float = 300) -> float:
    """Until /readyz says so, each answer within 15 s; when that was."""
    deadline = time.monotonic() + timeout_s
    async with httpx.AsyncClient(trust_env=False, timeout=15) as http:
        while (await http.get(f"{service.url}/readyz")).is_success is not ready:
            assert time.monotonic() < deadline
            await asyncio.sleep(0.1)
    return time.monotonic()


async def test_a_neo4j_elsewhere_that_stands_still_for_25_s_loses_no_acknowledged_write(
    service: Service, space: str, tmp_path: Path
) -> None:
    """O10 with NEO4J_URI. Control: nothing was acknowledged while it stood still."""
    outside = Service(tmp_path, **service.database(), CONSILIENCE_STORE_TIMEOUT_S="8")
    jvm = service.jvm()
    assert jvm is not None
    try:
        await outside.start()
        writers = Writers(outside.url, space)
        writing = asyncio.create_task(writers.run())
        await writers.reach(60, writing=writing)
        begun = time.monotonic()
        jvm.suspend()
        try:
            await asyncio.sleep(2)
            before = len(writers.acknowledged)
            # The probes tell it at once: who watches over the service must not hang with it.
            await wait_for_readiness(outside, ready=False, timeout_s=1)
            async with httpx.AsyncClient(trust_env=False, timeout=15) as http:
                assert (await http.get(f"{outside.url}/healthz")).status_code == 503
            await asyncio.sleep(max(0, begun + 25 - time.monotonic()))
            assert len(writers.acknowledged) == before
        finally:
            jvm.resume()
        await writers.reach(before + 60, writing=writing)
        writers.stop.set()
        await writing
        print(f"{before} acknowledged before, {len(writers.acknowledged)} in all; refused: {writers.refused}")
        assert set(writers.refused) <= {"STORE_UNAVAILABLE"}
        await wait_for_readiness(outside, ready=True)
        await assert_nothing_lost(service, writers)
    finally:
        jvm.resume()
        await outside.leave_nothing()
    assert psutil.pid_exists(jvm.pid), "a Neo4j that is not ours is left alone"


async def healthz(url: str) -> tuple[int, int]:
    """(HTTP status, dead jobs)."""
    async with httpx.AsyncClient(trust_env=False, timeout=30) as http:
        answer = await http.get(f"{url}/healthz")
    return answer.status_code, answer.json()["deadJobs"]


@pytest.mark.usefixtures("service")
async def test_work_that_keeps_failing_turns_health_red_is_counted_and_retried_by_command(service: Service, space: str) -> None:
    """O1. Control: green before, and green again once the cause is gone and the command was given."""
    await wait_for_readiness(service, ready=True)
    assert await healthz(service.url) == (200, 0)
    assert run("status", home=service.home).returncode == 0

    given = episodes([1], prefix="d", text="a-canary-in-a-dead-job")
    await ask(service.url, REMEMBER, input={"space": space, "episodes": given, "wait": "SETTLED"})
    async with service.store() as store:
        # What a worker cannot read: the text of a stored episode is a number.
        await store.write("MATCH (e:Episode {space: $space}) SET e.kept = e.text, e.text = 5, e.digestedAt = null", space=space)
        await store.write(
            "MATCH (e:Episode {space: $space}) CREATE (:Job {space: $space, id: 'j-' + e.id, kind: 'digest', state: 'QUEUED', ids: [e.id], "
            "done: 0, total: 1, attempts: 0, recordedAt: datetime(), notBefore: datetime()})",
            space=space,
        )
        deadline = time.monotonic() + 120
        while await healthz(service.url) != (503, 1):
            assert time.monotonic() < deadline
            await asyncio.sleep(0.2)
        status = run("status", home=service.home)
        assert (status.returncode, "1 dead" in status.stdout) == (6, True)
        listed = json.loads(run("jobs", "--state", "DEAD", "--json", home=service.home).stdout)["jobs"]
        assert [(job["space"], job["state"], job["attempts"]) for job in listed] == [(space, "DEAD", 2)]
        print(listed)
        assert "canary" not in json.dumps(listed)

        await store.write("MATCH (e:Episode {space: $space}) SET e.text = e.kept REMOVE e.kept", space=space)
    retried = json.loads(run("jobs", "--retry-dead", "--json", home=service.home).stdout)
    assert retried["retried"] == 1
    assert (await settled(service, space=space)).embedded == 1
    deadline = time.monotonic() + 60
    while await healthz(service.url) != (200, 0):
        assert time.monotonic() < deadline
        await asyncio.sleep(0.2)
    assert run("status", home=service.home).returncode == 0
    assert "canary" not in service.said()


async def test_a_second_service_on_the_data_folder_is_refused_and_the_first_goes_on(service: Service) -> None:
    second = await asyncio.to_thread(run, "serve", home=service.home, env={**service.variables}, timeout_s=120)
    assert second.returncode == 5
    assert f"a service already runs on the data folder {service.home} (process {service.pid}" in second.stderr
    (service.home / "service.json").rename(service.home / "hidden.json")
    try:  # also when the note is not there to be read, as while the first one starts
        third = await asyncio.to_thread(run, "serve", home=service.home, env={**service.variables}, timeout_s=120)
    finally:
        (service.home / "hidden.json").rename(service.home / "service.json")
    assert third.returncode == 5
    assert f"another service (pid {service.pid}) uses this data folder" in third.stderr
    assert "Traceback" not in second.stderr + third.stderr
    assert (await healthz(service.url))[0] == 200
