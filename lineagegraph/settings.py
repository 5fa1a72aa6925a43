"""Settings: from the environment (`LINEAGEGRAPH_…`), then `lineagegraph.toml`, then defaults."""

import json
import os
import re
from datetime import timedelta
from functools import cache
from pathlib import Path
from tomllib import TOMLDecodeError
from typing import Annotated, Any, Literal

from platformdirs import user_cache_path, user_data_path
from pydantic import AfterValidator, BeforeValidator, Field, Secret, SecretStr, ValidationError
from pydantic_settings import (
    BaseSettings,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
    TomlConfigSettingsSource,
)
from pydantic_settings.exceptions import SettingsError as PydanticSettingsError

from lineagegraph.errors import SettingsError
from lineagegraph.model.names.environment import check_pattern
from lineagegraph.model.names.zones import find_zone
from lineagegraph.model.outbox.routes import Routes
from lineagegraph.model.outbox.targets import Forwards
from lineagegraph.text import read_duration

ALONE = "_LINEAGEGRAPH_ALONE"
"""The variable with which settings come from the environment alone: a file may differ by now."""
_FILE = "lineagegraph.toml"
# A thousand years: what is subtracted from today is a time that Python has.
_LONGEST = timedelta(days=365_000)
# A gap in a daemon's own heartbeats of half a lease lets it judge no others.
_BEATS_OF_LEASE = 3


def read_age(text: Any) -> timedelta:
    """Return a duration written with its unit: `90d`, `12h`, `500ms`."""
    seconds = read_duration(text) if isinstance(text, str) else None
    if seconds is None:
        raise ValueError(f"{text!r} is not a duration: write it as '90d', '12h' or '4w'")
    if seconds > _LONGEST.total_seconds():
        raise ValueError(f"{text!r} is too long: write at most '{_LONGEST.days}d'")
    return timedelta(seconds=seconds)


def read_zone(text: str) -> str:
    """Return the name of a time zone."""
    find_zone(text)
    return text


# A name, all names below one, all names, or an address of IPv6.
_HOST_PATTERN = re.compile(r"(?:\*\.)?[a-z0-9_.-]+|\*|[0-9a-f:.]*:[0-9a-f:.]*:[0-9a-f:.]*")


def read_host_pattern(text: str) -> str:
    """Return the name of a host, `*.example.org`, `*` or an address, in small letters."""
    if not _HOST_PATTERN.fullmatch(text.lower()):
        raise ValueError(f"{text!r} is not a host: write a name or address, without scheme or port")
    return text.lower()


def read_origin(text: str) -> str:
    """Return the origin of a web page, in small letters."""
    if not re.fullmatch(r"https?://[^\s/?#@]+", text.lower()):
        raise ValueError(f"{text!r} is not an origin: write it as 'https://lineage.example.org'")
    return text.lower()


Age = Annotated[timedelta, BeforeValidator(read_age)]
HostPattern = Annotated[str, AfterValidator(read_host_pattern)]
WebOrigin = Annotated[str, AfterValidator(read_origin)]


def read_path(text: Any) -> Any:
    """Return a path with the folder of a user in place of `~`, which no shell reads in a file."""
    if not text:
        raise ValueError("it is empty")
    try:
        return Path(text).expanduser()
    except RuntimeError as error:
        raise ValueError(f"{text}: {error}") from None


def read_place(text: Any) -> Any:
    """Return the URL of a folder, or its path as `read_path` does."""
    return str(read_path(text)) if isinstance(text, str) and text.startswith("~") else text


PathSetting = Annotated[Path, BeforeValidator(read_path)]
PlaceSetting = Annotated[str, BeforeValidator(read_place)]


class Settings(BaseSettings):
    """The settings of an installation; every field has a default that works on a laptop."""

    model_config = SettingsConfigDict(
        env_prefix="LINEAGEGRAPH_",
        toml_file=_FILE,
        extra="forbid",
        hide_input_in_errors=True,
    )

    #: data of the managed Neo4j, logs, the demo
    home: PathSetting = Field(default_factory=lambda: user_data_path("lineagegraph"))
    #: downloads; shared by all homes
    cache: PathSetting = Field(default_factory=lambda: user_cache_path("lineagegraph"))
    #: a Neo4j of your own instead of the managed one
    neo4j_uri: str | None = None
    #: user name on Neo4j
    neo4j_user: str = "neo4j"
    #: password of that user
    neo4j_password: SecretStr | None = None
    #: the Neo4j database
    neo4j_database: str | None = None
    #: a PEM file with the authorities that signed the certificate of that Neo4j, instead of the
    #: system's; for addresses `neo4j+s://` and `bolt+s://`
    neo4j_ca: PathSetting | None = None
    #: the address of its Browser, such as `http://graph:7474/browser/`, for links
    neo4j_browser_url: str | None = None
    #: heap of the managed Neo4j; all queries together take at most half of it
    neo4j_heap: str = "1g"
    #: page cache of the managed Neo4j
    neo4j_page_cache: str = "512m"
    #: additional Java options
    neo4j_java_options: str = "-XX:+UseParallelGC -XX:-UseGCOverheadLimit"
    #: additional lines of its `neo4j.conf`, as JSON in the environment: `{"db.transaction.timeout":
    #: "1h"}`
    neo4j_conf: dict[str, str] = Field(default_factory=dict)
    #: maximum time until the managed Neo4j is ready (seconds)
    neo4j_start_seconds: float = Field(default=180.0, gt=0)
    #: the source of its jars, for a company mirror
    maven_repository: str | None = None
    #: the Java to use
    java_home: PathSetting | None = None
    #: address of the HTTP server; any but loopback needs tokens
    host: str = "127.0.0.1"
    #: port of the HTTP server; 0 takes a free one
    port: int = 8642
    #: address of the page, such as `https://lineage.example.org`, for links in notifications and
    #: widgets
    page_url: str | None = None
    #: a PEM file with the certificate of the HTTP server and those that signed it; with it, HTTP is
    #: served over TLS
    tls_certificate: PathSetting | None = None
    #: a PEM file with the key of this certificate
    tls_key: PathSetting | None = None
    #: a file with the password of the key
    tls_key_password_file: PathSetting | None = None
    #: address of an OpenID Connect provider whose users may log in, such as
    #: `https://login.example.org/realms/data`
    oidc_issuer: str | None = None
    #: the audience of access tokens (JWT) of this provider that HTTP requests may send; default:
    #: none are accepted
    oidc_audience: str | None = None
    #: client id at this provider, for the login in a browser
    oidc_client_id: str | None = None
    #: secret of this client, if the provider gave it one
    oidc_client_secret: SecretStr | None = None
    #: address of `/login/oidc/callback` as the provider knows it; default: that of the request
    oidc_redirect_url: str | None = None
    #: scopes that the login asks for
    oidc_scope: str = "openid profile email"
    #: the claim with the groups or roles of a user; a dot leads into an object, as in
    #: `realm_access.roles`
    oidc_roles_claim: str = "groups"
    #: roles by value of this claim: `{"engineers": ["read:*", "write:shop"]}`
    oidc_roles: dict[str, tuple[str, ...]] = Field(default_factory=dict)
    #: the claim that names a user in signatures; `sub` is the only one that every provider keeps
    #: unique
    oidc_name_claim: str = "sub"
    #: time without a request after which a session of a browser ends
    session_idle: Age = Field(default=timedelta(hours=1), validate_default=False)
    #: time after which a session of a browser ends in any case
    session_lifetime: Age = Field(default=timedelta(hours=12), validate_default=False)
    #: names of the HTTP server besides loopback and `host`, as requests have them in `Host`:
    #: `["lineage.example.org", "*.lan"]`; `*` for all names
    allowed_hosts: tuple[HostPattern, ...] = ()
    #: origins of other web pages that may send requests: `["https://lineage.example.org"]`
    allowed_origins: tuple[WebOrigin, ...] = ()
    #: maximum requests a second of each token, or of each address without one; default: 1000, none
    #: on loopback
    limit_requests_per_second: float | None = Field(default=None, gt=0)
    #: maximum events a second, likewise; default: 10000, none on loopback
    limit_events_per_second: float | None = Field(default=None, gt=0)
    #: maximum open streams, likewise; default: 100, none on loopback
    limit_streams: int | None = Field(default=None, ge=1)
    #: time after which a connection without a request closes (seconds); with one that clients wait
    #: too, such as 5 or 60, requests would meet connections that are just closing
    keep_alive_seconds: int = Field(default=75, ge=1)
    #: time after which a stream ends, and its client continues with a new one (seconds)
    stream_seconds: float = Field(default=3600.0, gt=0)
    #: time in which the body of a request must arrive (seconds)
    body_seconds: float = Field(default=30.0, gt=0)
    #: maximum memory for the bodies of all requests together (bytes)
    max_bodies_bytes: int = Field(default=256_000_000, ge=1_000)
    #: default namespace of pipelines
    namespace: str = "default"
    #: name of the project
    application: str = "default"
    #: serve a job in the namespace of its topmost ancestor, not in its own; nothing in the graph
    #: depends on it
    inherit_namespace: bool = True
    #: default of `runs` for column lineage: `all` that was ever reported, or the `latest` run's
    column_lineage_runs: Literal["all", "latest"] = "all"
    #: default time zone of cron conditions, of days, and of the times in widgets
    zone: Annotated[str, AfterValidator(read_zone)] = "UTC"
    #: parallel runs of each daemon
    worker_slots: int = Field(default=2, ge=1)
    #: processes of waiting runs that stay ready; other waiting runs continue in a new process
    resting_workers: int = Field(default=8, ge=0)
    #: environment variables that tasks and definition files get besides those that programs need;
    #: patterns match no variable of lineagegraph itself: `["AWS_*", "HTTP_TOKEN"]`
    pass_environment: tuple[Annotated[str, AfterValidator(check_pattern)], ...] = ()
    #: address of the HTTP server for programs of tasks: with it they get `OPENLINEAGE_URL` and a
    #: token of their run; outside loopback `up` sets it
    report_url: str | None = None
    #: maximum age of a run's token, which ends with its run
    run_token_age: Age = Field(default=timedelta(days=7), validate_default=False)
    #: default for freshness terms: count the run's `end`, or `data_end`, the end of the interval
    #: that its data covers
    freshness_counts: Literal["end", "data_end"] = "end"
    #: interval of the daemon's check for due work (seconds)
    tick_seconds: float = Field(default=1.0, gt=0)
    #: longest interval of heartbeats (seconds): a short lease has shorter ones, see `beat_seconds`
    heartbeat_seconds: float = Field(default=5.0, gt=0)
    #: time without a heartbeat after which a run is lost (seconds)
    lease_seconds: float = Field(default=20.0, gt=0)
    #: maximum age of an event that fires a trigger (seconds)
    news_seconds: float = Field(default=3600.0, gt=0)
    #: maximum number of times that a trigger causes itself from one cause; above it the trigger is
    #: suspended
    trigger_repeat_limit: int = Field(default=100, ge=1)
    #: time without events after which another system's run counts as failed, by namespace, `*` for
    #: the others: `{"*": "6h"}`
    silent_after: dict[str, Age] = Field(default_factory=dict)
    #: time for which state changes of runs are kept for clients
    run_states_age: Age = Field(default=timedelta(days=7), validate_default=False)
    #: maximum age of runs before a daemon deletes them, by namespace, `*` for the others: `{"*":
    #: "90d"}`
    retention: dict[str, Age] = Field(default_factory=dict)
    #: size limit of the log of an attempt; above it head and tail are kept
    task_log_bytes: int = Field(default=10_000_000, ge=10_000)
    #: size up to which a value that a task returns is kept in the graph; above it in a file
    value_bytes: int = Field(default=64 * 1024, ge=0, le=256 * 1024)
    #: time for which the audit log is kept
    audit_age: Age = Field(default=timedelta(days=400), validate_default=False)
    #: notification routes, as a list
    notify: Routes = ()
    #: factor over the longest of the newest completed runs of its job above which a run is slow
    slow_factor: float = Field(default=2.0, gt=1)
    #: time below which no run is slow
    slow_after: Age = Field(default=timedelta(minutes=5), validate_default=False)
    #: time without a worker after which a queued run is late
    late_after: Age = Field(default=timedelta(minutes=15), validate_default=False)
    #: forwarding targets, as a list
    forward: Forwards = ()
    #: maximum number of events that wait for targets; above it the oldest are dropped
    forward_max_events: int = Field(default=500_000, ge=1)
    #: time limit for reading a definition file (seconds)
    parse_seconds: float = Field(default=60.0, gt=0)
    #: memory limit of reading a file, including child processes (bytes)
    parse_memory_bytes: int = Field(default=2_000_000_000, ge=100_000_000)
    #: paths from which daemons read definitions, besides the synced paths: `["/srv/etl"]`
    definitions: tuple[PathSetting, ...] = ()
    #: default interval for reading dynamic files again (seconds)
    dynamic_seconds: float = Field(default=300.0, gt=0)
    #: the folder or fsspec URL for archived code that is too large for the graph
    archive_url: str | None = None
    #: maximum size of archived code in the graph, at most 16000000 (bytes)
    archive_graph_bytes: int = Field(default=1_000_000, ge=0, le=16_000_000)
    #: the file of the key that signs pickled functions, for several hosts; default: `signing.key`
    #: in `home`
    signing_key_file: PathSetting | None = None
    #: maximum total size of the files of a definition (bytes)
    archive_max_bytes: int = Field(default=8 * 1024 * 1024, ge=1_000)
    #: whether runs tell what their Python tasks read and write by pandas, polars, Arrow, DuckDB,
    #: sqlite3 and SQLAlchemy
    follow_libraries: bool = True
    #: rerun policy if neither the request nor the pipeline has one: `as_was`, `latest`,
    #: `pinned:VERSION` or `ask`
    rerun_policy: str = Field(default="ask", pattern=r"^(as_was|latest|ask|pinned:[0-9a-f]{4,64})$")
    #: maximum number of tasks created during a run
    max_expanded_tasks: int = Field(default=1_000, ge=1)
    #: the folder of tables written by `lg.publish`
    tables: PlaceSetting | None = None
    #: time for which old versions of these tables are kept for readers
    tables_age: Age = Field(default=timedelta(hours=6), validate_default=False)
    #: maximum number of jobs and datasets with freshness in `/metrics`, the worst first
    metrics_nodes: int = Field(default=1_000, ge=0)
    #: share pokes between waiting runs; if false, each run polls itself
    smart_sensors: bool = True
    #: number of sensor processes that the daemon starts at the first wait
    sensor_processes: int = Field(default=1, ge=0)
    #: number of shards of sensors, for all processes of an installation
    sensor_shards: int = Field(default=64, ge=1, le=10_000)
    #: time without a heartbeat after which a process loses its shards (seconds)
    sensor_lease_seconds: float = Field(default=12.0, gt=0)
    #: time after which a process with a hanging loop releases its shards and ends (seconds)
    sensor_stall_seconds: float = Field(default=10.0, gt=0)
    #: maximum number of parallel pokes of one host by a process
    sensor_host_at_once: int = Field(default=8, ge=1)
    #: time limit of a callback (seconds)
    sensor_callback_seconds: float = Field(default=60.0, gt=0)
    #: custom sensor kinds: `["etl.sensors:TableReady"]`
    sensor_kinds: tuple[str, ...] = ()
    #: folders and URLs that sensors may access; default: all, but none for sensors of tokens
    sensor_roots: tuple[str, ...] = ()
    #: hosts, `*.example.com`, addresses and networks that sensors may contact over HTTP; default:
    #: all, but none for sensors of tokens
    sensor_http_allow: tuple[str, ...] = ()
    #: hosts that sensors must not contact
    sensor_http_deny: tuple[str, ...] = ()
    #: time limit of a poke (seconds)
    sensor_poke_seconds: float = Field(default=30.0, gt=0)
    #: the most memory of a sensor process, and of a process of one poke (bytes)
    sensor_memory_bytes: int = Field(default=2_000_000_000, ge=100_000_000)
    #: the largest answer that a sensor reads over HTTP (bytes)
    sensor_http_bytes: int = Field(default=1_000_000, ge=1_000)
    #: refuse events with a standard facet that breaks its schema
    strict: bool = False
    #: the largest body of a request, before and after gzip (bytes)
    max_body_bytes: int = Field(default=16_000_000, ge=1_000)
    #: maximum number of events that wait to be written; more are refused
    max_waiting_events: int = Field(default=10_000, ge=1)
    #: maximum bytes of waiting events (bytes)
    max_waiting_bytes: int = Field(default=64_000_000, ge=1)
    #: time after which an event that is not yet written is kept on disk, and its sender gets
    #: 503; a batch and a large event only if Neo4j hangs (seconds)
    ingest_seconds: float = Field(default=3.5, gt=0)
    #: free space on the disk of the managed Neo4j below which events are refused (bytes)
    min_free_bytes: int = Field(default=200_000_000, ge=0)
    #: maximum disk space for events that arrive while Neo4j is down (bytes)
    max_spool_bytes: int = Field(default=1_000_000_000, ge=0)

    @property
    def beat_seconds(self) -> float:
        """The interval of heartbeats, in seconds: one may be missed in a lease."""
        return min(self.heartbeat_seconds, self.lease_seconds / _BEATS_OF_LEASE)

    @property
    def max_event_age(self) -> timedelta:
        """The age up to which an event fires triggers and is notified."""
        return timedelta(seconds=self.news_seconds)

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        file = None if ALONE in os.environ else _FILE
        return init_settings, env_settings, TomlConfigSettingsSource(settings_cls, file)


@cache
def load_settings(**overrides: Any) -> Settings:
    """Load the settings once; raise `SettingsError` naming the first invalid one."""
    try:
        return Settings(**overrides)
    except ValidationError as error:
        first = error.errors()[0]
        name = ".".join(str(part) for part in first["loc"])
        variable = f"LINEAGEGRAPH_{str(first['loc'][0]).upper()}"
        raise SettingsError(
            f"setting {name}: {first['msg']} (set {variable} or {_FILE})"
        ) from error
    except PydanticSettingsError as error:
        raise SettingsError(f"{error}: it must be JSON") from None
    except (TOMLDecodeError, UnicodeDecodeError) as error:
        raise SettingsError(f"{_FILE}: not TOML: {error}") from None


def settings_environment(settings: Settings) -> dict[str, str]:
    """Return environment variables with which another process loads the same settings."""
    values = settings.model_dump(exclude_none=True)
    return {f"LINEAGEGRAPH_{name.upper()}": _spell(value) for name, value in values.items()}


def _spell(value: Any) -> Any:
    if isinstance(value, dict):
        return json.dumps(
            {name: one if isinstance(one, tuple) else _spell(one) for name, one in value.items()}
        )
    if isinstance(value, timedelta):
        return f"{value.total_seconds()}s"
    if isinstance(value, tuple):
        return json.dumps(value, default=_spell)
    if isinstance(value, Path):
        return str(value.absolute())
    if isinstance(value, SecretStr | Secret):
        return value.get_secret_value()
    return str(value)
