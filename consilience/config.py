"""Every setting, its default, its bounds. Constants of belief and ranking live here or in data, never in code paths.

Read from the environment (`CONSILIENCE_*`, and the `NEO4J_*` names Neo4j's own tools use), then from `<home>/settings.env`.
A `..._FILE` variant is read from that file (container secrets). docs/reference/settings.md lists them; a test compares.
"""

import os
from functools import cached_property
from pathlib import Path
from typing import Annotated, Self

from platformdirs import user_cache_path, user_data_path
from pydantic import AliasChoices, Field, SecretStr, field_validator, model_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

from consilience.errors import CannotStart

NEO4J_VERSION = "2026.01.4"
GDS_VERSION = "2.26.0"
BROWSER_VERSION = "5.24.0"

Port = Annotated[int, Field(ge=0, le=65535)]
Positive = Annotated[int, Field(gt=0)]


class Settings(BaseSettings):
    """One process's settings. Immutable; made once and handed down."""

    model_config = SettingsConfigDict(env_prefix="CONSILIENCE_", frozen=True, extra="ignore", populate_by_name=True)

    home: Path = Field(
        default_factory=lambda: user_data_path("consilience"), description="Data folder: the managed store, state, logs, secrets."
    )
    cache: Path = Field(
        default_factory=lambda: user_cache_path("consilience"), description="Downloaded jars, shared by all data folders of a user."
    )
    host: str = Field("127.0.0.1", description="Address the API listens on.")
    port: Port = Field(8765, description="Port of the API; 0 picks a free one.")
    open_access: bool = Field(
        False, description="Allow a non-loopback `host` although there are no keys yet: anybody who reaches it may do anything."
    )
    url: str | None = Field(None, description="Address of a running service for the command line, e.g. http://127.0.0.1:8765.")

    neo4j_uri: str | None = Field(
        None, validation_alias=AliasChoices("NEO4J_URI", "neo4j_uri"), description="Use this Neo4j instead of a managed one."
    )
    neo4j_user: str = Field(
        "neo4j", validation_alias=AliasChoices("NEO4J_USERNAME", "NEO4J_USER", "neo4j_user"), description="User name at `NEO4J_URI`."
    )
    neo4j_password: SecretStr | None = Field(
        None, validation_alias=AliasChoices("NEO4J_PASSWORD", "neo4j_password"), description="Password at `NEO4J_URI`."
    )
    neo4j_password_file: Path | None = Field(
        None, validation_alias=AliasChoices("NEO4J_PASSWORD_FILE", "neo4j_password_file"), description="File that holds the password."
    )
    neo4j_database: str = Field("neo4j", validation_alias=AliasChoices("NEO4J_DATABASE", "neo4j_database"), description="Database name.")

    java: Path | None = Field(None, description="Java 21 or 25 for the managed server: the `java` executable.")
    maven_repository: str | None = Field(None, description="Maven repository the jars come from, where Maven Central is mirrored.")
    heap_mb: Positive | None = Field(None, description="Heap of the managed server in MiB; default from the machine's memory.")
    page_cache_mb: Positive | None = Field(None, description="Page cache of the managed server in MiB; default from the machine's memory.")
    bolt_port: Port = Field(0, description="Bolt port of the managed server; 0 picks a free one and keeps it.")
    http_port: Port = Field(0, description="Neo4j Browser port of the managed server; 0 picks a free one and keeps it.")
    start_timeout_s: Positive = Field(120, description="How long a start of Neo4j may take.")

    embedder: str = Field("use", description="Embedder of new spaces: `use` (Universal Sentence Encoder, 512-d, bundled).")
    workers: Annotated[int, Field(ge=0, le=32)] = Field(
        1, description="Workers inside `serve`; 0 leaves the queue to `consilience worker`."
    )
    max_text_bytes: Positive = Field(32 * 1024, description="Longest text of an episode, in UTF-8 bytes.")
    max_batch: Positive = Field(500, description="Most episodes in one `remember`.")
    max_metadata: Positive = Field(32, description="Most metadata entries of an episode.")
    max_body_bytes: Positive = Field(32 * 1024 * 1024, description="Longest request body.")
    gather_ms: Annotated[int, Field(ge=0, le=1000)] = Field(20, description="How long small writes are gathered into one transaction.")
    settle_timeout_s: Positive = Field(120, description="How long `wait: SETTLED` waits before it answers that the work goes on.")
    store_timeout_s: Positive = Field(30, description="How long one query may take, and how long a write is retried while Neo4j is away.")
    job_lease_s: Positive = Field(60, description="How long a worker holds a job without a heartbeat.")
    job_attempts: Positive = Field(5, description="Failures after which a job is DEAD.")
    digest_batch: Positive = Field(256, description="Episodes digested together.")
    log_level: str = Field("INFO", description="Level of the service's log.")

    @field_validator("home", "cache", mode="after")
    @classmethod
    def _absolute(cls, path: Path) -> Path:
        return path.expanduser().absolute()

    @model_validator(mode="after")
    def _one_password(self) -> Self:
        if self.neo4j_password is not None and self.neo4j_password_file is not None:
            raise ValueError("set NEO4J_PASSWORD or NEO4J_PASSWORD_FILE, not both")
        return self

    @cached_property
    def password(self) -> str:
        """The password for `neo4j_uri`. Raises CannotStart if the file cannot be read."""
        if self.neo4j_password_file is None:
            return self.neo4j_password.get_secret_value() if self.neo4j_password else ""
        try:
            return self.neo4j_password_file.read_text(encoding="utf-8").strip()
        except OSError as error:
            raise CannotStart(
                f"cannot read NEO4J_PASSWORD_FILE {self.neo4j_password_file}: {error.strerror}", hint="point it at a readable file"
            ) from error


def load_settings(**overrides: object) -> Settings:
    """Settings from the environment, the overrides on top. Raises CannotStart naming the setting that is wrong."""
    from pydantic import ValidationError

    home = overrides.get("home") or os.environ.get("CONSILIENCE_HOME") or user_data_path("consilience")
    given = {name: value for name, value in overrides.items() if value is not None}
    try:
        return Settings(_env_file=Path(str(home)) / "settings.env", **given)  # type: ignore[call-arg, arg-type]  # pyright: ignore[reportCallIssue, reportArgumentType]
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        name = "_".join(str(part) for part in first["loc"]) or "settings"
        raise CannotStart(f"setting {name}: {first['msg']}", hint="see docs/reference/settings.md", field=name) from error
