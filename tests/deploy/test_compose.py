"""docker-compose.yml and the Dockerfile against the settings and the pins. No Docker engine is needed: the files are read."""

import copy
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import pytest
import yaml
from pydantic import AliasChoices

from consilience.config import NEO4J_VERSION, Settings
from consilience.server.conf import TRANSACTION_LOG, neo4j_conf
from consilience.server.home import Layout
from consilience.server.jars import JarSet
from consilience.server.memory import MemoryPlan
from consilience.server.ports import Ports

ROOT = Path(__file__).resolve().parents[2]
DOCKERFILE = (ROOT / "Dockerfile").read_text(encoding="utf-8")

Compose = dict[str, Any]


def compose() -> Compose:
    return cast(Compose, yaml.safe_load((ROOT / "docker-compose.yml").read_text(encoding="utf-8")))


def known_variables() -> frozenset[str]:
    """Each environment variable that Settings reads."""
    names: set[str] = set()
    for name, field in Settings.model_fields.items():
        alias = field.validation_alias
        choices = alias.choices if isinstance(alias, AliasChoices) else [f"CONSILIENCE_{name}".upper()]
        names |= {choice for choice in choices if isinstance(choice, str) and choice.isupper()}
    return frozenset(names)


def complaints(file: Compose) -> list[str]:
    """What is wrong with a compose file, one sentence each; pure."""
    wrong: list[str] = []
    database, service = file["services"]["neo4j"], file["services"]["consilience"]
    wrong += [f"no setting reads {name}" for name in service["environment"] if name not in known_variables()]
    if database["image"] != f"neo4j:{NEO4J_VERSION}-community":
        wrong.append("the image is not the pinned Neo4j")
    if "healthcheck" not in database or service["depends_on"]["neo4j"]["condition"] != "service_healthy":
        wrong.append("the service does not wait for a healthy database")
    for name, part in file["services"].items():
        wrong += [f"{name} publishes {port} beyond loopback" for port in part["ports"] if not str(port).startswith("127.0.0.1:")]
        wrong += [f"{name} has a password in {key}" for key in part["environment"] if re.search(r"(PASSWORD|AUTH)$", key)]
        if part["cap_drop"] != ["ALL"] or part["security_opt"] != ["no-new-privileges:true"]:
            wrong.append(f"{name} keeps privileges")
        wrong += [f"{name} reads no such secret: {secret}" for secret in part["secrets"] if secret not in file["secrets"]]
        mounted = {str(volume).split(":", 1)[0] for volume in part["volumes"]}
        wrong += [f"{name} mounts no named volume: {volume}" for volume in sorted(mounted - set(file["volumes"]))]
    if str(database["user"]).split(":")[0] in {"0", "root"}:
        wrong.append("neo4j runs as root")
    if not service["read_only"]:
        wrong.append("the service can write to its image")
    return wrong


def test_the_compose_file_fits_the_settings_and_the_pins() -> None:
    assert complaints(compose()) == []


def _unknown(file: Compose) -> None:
    file["services"]["consilience"]["environment"]["CONSILIENCE_OPEN_ACCES"] = "true"


def _older(file: Compose) -> None:
    file["services"]["neo4j"]["image"] = "neo4j:5.26.0-community"


def _public(file: Compose) -> None:
    file["services"]["consilience"]["ports"] = ["8765:8765"]


def _unhealthy(file: Compose) -> None:
    del file["services"]["neo4j"]["healthcheck"]


def _root(file: Compose) -> None:
    file["services"]["neo4j"]["user"] = "0:0"


def _plain_password(file: Compose) -> None:
    file["services"]["neo4j"]["environment"]["NEO4J_AUTH"] = "neo4j/in-the-open"


@pytest.mark.parametrize("damage", [_unknown, _older, _public, _unhealthy, _root, _plain_password])
def test_one_wrong_line_in_the_compose_file_is_one_complaint(damage: Callable[[Compose], None]) -> None:
    file = copy.deepcopy(compose())
    damage(file)
    assert len(complaints(file)) == 1


def test_open_access_is_said_only_where_the_port_stays_on_loopback() -> None:
    service = compose()["services"]["consilience"]
    assert service["environment"]["CONSILIENCE_OPEN_ACCESS"] == "true"
    assert all(str(port).startswith("127.0.0.1:") for port in service["ports"])


def test_the_container_is_told_what_the_managed_server_is_told(tmp_path: Path) -> None:
    """Privacy and the transaction log are settled in one place; addresses, folders and memory differ by nature."""
    text = neo4j_conf(
        place=Layout(tmp_path),
        jars=JarSet(root=tmp_path, class_path=(), plugins=tmp_path),
        ports=Ports(bolt=1, http=2),
        memory=MemoryPlan(heap_mb=1024, page_cache_mb=512),
    )
    managed = dict(line.split("=", 1) for line in text.splitlines())
    said = compose()["services"]["neo4j"]["environment"]
    shared = {
        "db.query.default_language",
        "dbms.usage_report.enabled",
        "client.allow_telemetry",
        "db.logs.query.enabled",
        "dbms.security.allow_csv_import_from_file_urls",
        *TRANSACTION_LOG,
    }
    assert {key: said[f"NEO4J_{key.replace('_', '__').replace('.', '_')}"] for key in shared} == {key: managed[key] for key in shared}
    assert said["NEO4J_PLUGINS"] == '["graph-data-science"]'


def test_the_image_runs_as_an_ordinary_user_and_says_whether_it_is_ready() -> None:
    user = re.findall(r"^USER (\S+)$", DOCKERFILE, re.MULTILINE)
    assert user == ["10001"]
    assert re.search(r"^HEALTHCHECK .*\n.*/readyz", DOCKERFILE, re.MULTILINE)
    assert "--require-hashes -r requirements/core.txt" in DOCKERFILE


def test_the_image_is_built_from_files_that_are_there_and_not_ignored() -> None:
    let_in = {line[1:] for line in (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines() if line.startswith("!")}
    copied = {source for line in re.findall(r"^COPY (?!--from)(.+)$", DOCKERFILE, re.MULTILINE) for source in line.split()[:-1]}
    assert copied == let_in
    assert [name for name in sorted(copied) if not (ROOT / name).exists()] == []
