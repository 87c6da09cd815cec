"""What the managed server is told: neo4j.conf, the JVM's arguments, the administration tool's. Pure text.

Keys are those of Neo4j 2026.01.4: a key it does not know stops the start (strict validation), so a change of version is
tried by tests/server first.
"""

from collections.abc import Iterable
from pathlib import Path
from typing import Final

from consilience.server.home import Layout
from consilience.server.jars import JarSet
from consilience.server.memory import MemoryPlan
from consilience.server.ports import LOOPBACK, Ports

SERVER_CLASS: Final = "org.neo4j.server.Neo4jCommunity"
ADMIN_CLASS: Final = "org.neo4j.cli.AdminTool"
OPENS: Final = tuple(
    f"--add-opens=java.base/{package}=ALL-UNNAMED" for package in ("java.nio", "java.io", "sun.nio.ch", "java.util.concurrent")
)
# Those of the conf that Neo4j ships; the bootloader that would read them from there is not used.
JVM_FLAGS: Final = (
    "-XX:+UseG1GC",
    "-XX:-OmitStackTraceInFastThrow",
    "-XX:+UnlockExperimentalVMOptions",
    "-XX:+TrustFinalNonStaticFields",
    "-XX:+DisableExplicitGC",
    "-XX:+ExitOnOutOfMemoryError",  # a server out of heap answers at random; one that ends is seen and started again
    "-Djdk.nio.maxCachedBufferSize=1024",
    "-Dio.netty.tryReflectionSetAccessible=true",
    "-Dio.netty.leakDetection.level=DISABLED",
    "-Dlog4j2.disable.jmx=true",
    "-Djol.skipHotspotSAAttach=true",
    "-Dfile.encoding=UTF-8",
    "--enable-native-access=ALL-UNNAMED",
    *OPENS,
)
VECTOR_FLAGS: Final = ("--add-modules=jdk.incubator.vector", "-Dorg.neo4j.shaded.lucene9.vectorization.upperJavaFeatureVersion=25")


def neo4j_conf(*, place: Layout, jars: JarSet, ports: Ports, memory: MemoryPlan) -> str:
    """The text of neo4j.conf: loopback only, nothing sent home, no query log, old transaction logs dropped soon."""
    lines = {
        "server.default_listen_address": LOOPBACK,
        "server.bolt.enabled": "true",
        "server.bolt.listen_address": f"{LOOPBACK}:{ports.bolt}",
        "server.bolt.advertised_address": f"{LOOPBACK}:{ports.bolt}",
        "server.http.enabled": "true",
        "server.http.listen_address": f"{LOOPBACK}:{ports.http}",
        "server.http.advertised_address": f"{LOOPBACK}:{ports.http}",
        "server.https.enabled": "false",
        # HTTP is there for Neo4j Browser alone, which speaks Bolt to the server: the query endpoints stay off.
        "server.http_enabled_modules": "BROWSER",
        "server.directories.data": str(place.data),
        "server.directories.logs": str(place.logs),
        "server.directories.run": str(place.root / "run"),
        "server.directories.import": str(place.root / "import"),
        "server.directories.plugins": str(jars.plugins),
        "server.directories.lib": str(jars.root / "lib"),
        "server.logs.config": str(place.conf / "server-logs.xml"),
        "server.logs.user.config": str(place.conf / "user-logs.xml"),
        "server.memory.pagecache.size": f"{memory.page_cache_mb}m",
        # Half of the heap for all transactions together, so that a large one is refused before the heap is gone.
        "dbms.memory.transaction.total.max": f"{memory.heap_mb // 2}m",
        "db.query.default_language": "CYPHER_25",
        # Its 5 s for stragglers, twice, are most of a stop. The service, its one client, has ended before it stops the server.
        "internal.dbms.bolt.netty_server_shutdown_quiet_period": "0",
        "db.logs.query.enabled": "OFF",
        "dbms.usage_report.enabled": "false",
        "client.allow_telemetry": "false",
        "dbms.security.auth_enabled": "true",
        "dbms.security.procedures.unrestricted": "gds.*",
        "dbms.security.allow_csv_import_from_file_urls": "false",
    }
    return "".join(f"{key}={value}\n" for key, value in (lines | TRANSACTION_LOG).items())


# The transaction log keeps what was deleted, in clear text; by default for days. With these, a deletion has left it after 1 MB of
# further writes and one checkpoint, at most 10 s later: the eraser writes that much on purpose. Smaller figures (128 KB, 5 s) would
# change files at every other transaction of a bulk load.
TRANSACTION_LOG: Final = {
    "db.tx_log.rotation.retention_policy": "keep_none",
    "db.tx_log.rotation.size": "1m",
    "db.tx_log.preallocate": "false",
    "db.checkpoint.interval.time": "10s",
}


def server_arguments(*, place: Layout, jars: JarSet, memory: MemoryPlan, vector_module: bool) -> str:
    """The content of the argument file (`java @file`): one quoted argument a line, as the launcher reads it."""
    return argument_file(
        [
            f"-Xms{min(512, memory.heap_mb)}m",
            f"-Xmx{memory.heap_mb}m",
            *JVM_FLAGS,
            *(VECTOR_FLAGS if vector_module else ()),
            "-cp",
            ":".join(map(str, jars.class_path)),
            SERVER_CLASS,
            f"--home-dir={place.root}",
            f"--config-dir={place.conf}",
            "--console-mode",
        ]
    )


def admin_arguments(jars: JarSet, *, command: Iterable[str]) -> str:
    """The argument file of an administration command."""
    lib = [str(path) for path in jars.class_path if path.parent.name == "lib"]
    return argument_file(["-Xmx512m", *OPENS, "-cp", ":".join(lib), ADMIN_CLASS, *command])


def argument_file(arguments: Iterable[str]) -> str:
    """Arguments as java's `@file` wants them: quoted, with backslashes and quotes escaped."""
    return "".join('"' + argument.replace("\\", "\\\\").replace('"', '\\"') + '"\n' for argument in arguments)


def log_configurations() -> dict[str, Path]:
    """Names in the conf folder -> the files that ship with this package."""
    return {name: Path(__file__).with_name(name) for name in ("server-logs.xml", "user-logs.xml")}
