"""The service as its users run it: one `consilience serve`, a process of its own on a data folder of its own."""

import asyncio
import os
import signal
import subprocess
import time
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Final

import httpx
import psutil

from consilience.cli.running import find_running
from consilience.config import load_settings
from consilience.server.home import layout, store_password
from consilience.server.state import read_state
from consilience.store.driver import Store, open_store
from tests.cli.process import command, environment

# Times out only what hangs: on a busy machine a JVM alone may take a minute.
START_S: Final = 400.0
STOP_S: Final = 150.0
ANSWER_S: Final = 120.0
SMALL: Final = {
    "CONSILIENCE_PORT": "0",
    "CONSILIENCE_HEAP_MB": "768",
    "CONSILIENCE_PAGE_CACHE_MB": "128",
    "CONSILIENCE_START_TIMEOUT_S": "300",
    "CONSILIENCE_LOG_LEVEL": "INFO",
}
_OF_THE_MACHINE: Final = ("CONSILIENCE_CACHE", "CONSILIENCE_MAVEN_REPOSITORY")


def settings_of_a_small_service(**more: str) -> dict[str, str]:
    """Variables of a service with a small heap, on any free port, with the jars of the user's cache."""
    return SMALL | {name: os.environ[name] for name in _OF_THE_MACHINE if name in os.environ} | more


class Service:
    """One data folder and the service that runs on it, if one does. What it prints is in `log`."""

    def __init__(self, base: Path, **more: str) -> None:
        self.home = base / "home"
        self.log = base / "serve.log"
        self.variables = settings_of_a_small_service(**more)
        self.url = ""
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    def spawn(self, *options: str) -> None:
        """Begins a start; does not wait for it."""
        self.log.parent.mkdir(parents=True, exist_ok=True)
        with self.log.open("ab") as sink:
            self._process = subprocess.Popen(
                command("serve", *options), stdin=subprocess.DEVNULL, stdout=sink, stderr=sink, env=environment(self.home, **self.variables)
            )

    async def start(self, *options: str) -> float:
        """Starts it; returns how many seconds passed until /readyz answered 200."""
        begun = time.monotonic()
        self.spawn(*options)
        assert self._process is not None
        while not await self._is_ready():
            assert self._process.poll() is None, f"ended with {self._process.returncode}:\n{self.said()}"
            assert time.monotonic() - begun < START_S, self.said()
            await asyncio.sleep(0.2)
        return time.monotonic() - begun

    async def _is_ready(self) -> bool:
        noted = find_running(self.home)
        if noted is None or noted.pid != self.pid:
            return False
        self.url = noted.url
        async with httpx.AsyncClient(trust_env=False, timeout=30) as http:
            return (await http.get(f"{self.url}/readyz")).status_code == 200

    def send_signal(self, number: signal.Signals) -> None:
        assert self._process is not None
        self._process.send_signal(number)

    async def ended(self, *, timeout_s: float = STOP_S) -> int:
        """Its exit status, once it has ended."""
        assert self._process is not None
        return await asyncio.to_thread(self._process.wait, timeout_s)

    async def stop(self) -> int:
        """As Ctrl-C does; the exit status."""
        self.send_signal(signal.SIGINT)
        return await self.ended()

    async def kill(self) -> None:
        """Without warning. Its Neo4j stays."""
        self.send_signal(signal.SIGKILL)
        await self.ended()

    def jvm(self) -> psutil.Process | None:
        """The managed Neo4j of the data folder, if one runs."""
        state = read_state(load_settings(home=self.home))
        return state.process() if state else None

    def said(self) -> str:
        """All that was printed so far."""
        return self.log.read_text(encoding="utf-8")

    def database(self) -> dict[str, str]:
        """The variables that point another process at its Neo4j."""
        settings = load_settings(home=self.home)
        state = read_state(settings)
        assert state is not None
        return {"NEO4J_URI": state.bolt_uri, "NEO4J_USERNAME": "neo4j", "NEO4J_PASSWORD": store_password(layout(settings))}

    @asynccontextmanager
    async def store(self) -> AsyncGenerator[Store]:
        """The way past the service: straight into its Neo4j."""
        known = self.database()
        store = open_store(
            known["NEO4J_URI"], user=known["NEO4J_USERNAME"], password=known["NEO4J_PASSWORD"], database="neo4j", timeout_s=120
        )
        try:
            yield store
        finally:
            await store.close()

    async def leave_nothing(self) -> None:
        """Whatever happened: no process of this data folder stays."""
        if self._process is not None and self._process.poll() is None:
            self._process.terminate()
            try:
                await self.ended()
            except subprocess.TimeoutExpired:
                await self.kill()
        if (jvm := self.jvm()) is not None:
            jvm.kill()
            await asyncio.to_thread(jvm.wait, 60)


async def post(url: str, document: str, **variables: object) -> dict[str, Any]:
    """One GraphQL call as any program makes it; the whole answer."""
    async with httpx.AsyncClient(trust_env=False, timeout=ANSWER_S) as http:
        answer = await http.post(f"{url}/graphql", json={"query": document, "variables": variables})
    assert answer.status_code == 200, answer.text
    whole: dict[str, Any] = answer.json()
    return whole


async def ask(url: str, document: str, **variables: object) -> dict[str, Any]:
    """The data of an answer without errors."""
    answer = await post(url, document, **variables)
    assert "errors" not in answer, answer["errors"]
    data: dict[str, Any] = answer["data"]
    return data


def code_of(answer: Mapping[str, Any]) -> str | None:
    """The code of the first error, or of the `Problem` that `remember` gave; None if it was done."""
    if answer.get("errors"):
        return str(answer["errors"][0]["extensions"]["code"])
    problem: str | None = answer["data"]["remember"].get("code")
    return problem


REMEMBER: Final = """
mutation ($input: RememberInput!) {
  remember(input: $input) {
    __typename
    ... on Remembered { episodes { id externalId } duplicates }
    ... on Problem { code message hint field }
  }
}
"""


def episodes(numbers: Sequence[int], *, prefix: str, session: str | None = None, text: str = "Note") -> list[dict[str, object]]:
    """One episode a number, by one of five contributors, as `remember` takes them."""
    return [
        {
            "text": f"{text} {number}: the pump of greenhouse {number % 7} ran for {number} minutes.",
            "contributor": {"externalId": f"c{number % 5}"},
            "externalId": f"{prefix}-{number}",
            "session": session,
            "occurredAt": f"2026-03-{1 + number % 28:02d}T10:00:00+01:00",
        }
        for number in numbers
    ]
