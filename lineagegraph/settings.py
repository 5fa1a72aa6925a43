"""Settings: from the environment (`LINEAGEGRAPH_…`), then `lineagegraph.toml`, then defaults."""

import json
from datetime import timedelta
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Literal

from platformdirs import user_cache_path, user_data_path
from pydantic import BeforeValidator, Field, Secret, SecretStr, ValidationError
from pydantic_settings import (
    BaseSettings,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
    TomlConfigSettingsSource,
)
from pydantic_settings.exceptions import SettingsError as PydanticSettingsError

from lineagegraph.errors import SettingsError
from lineagegraph.model.outbox.routes import Routes
from lineagegraph.model.outbox.targets import Forwards
from lineagegraph.text import read_duration


def read_age(text: Any) -> timedelta:
    """Return a duration written with its unit: `90d`, `12h`, `500ms`."""
    seconds = read_duration(text) if isinstance(text, str) else None
    if seconds is None or seconds > timedelta.max.total_seconds():
        raise ValueError(f"{text!r} is not a duration: write it as '90d', '12h' or '4w'")
    return timedelta(seconds=seconds)


Age = Annotated[timedelta, BeforeValidator(read_age)]


class Settings(BaseSettings):
    """The settings of an installation; every field has a default that works on a laptop."""

    model_config = SettingsConfigDict(
        env_prefix="LINEAGEGRAPH_",
        toml_file="lineagegraph.toml",
        extra="forbid",
        hide_input_in_errors=True,
    )

    home: Path = Field(default_factory=lambda: user_data_path("lineagegraph"))
    cache: Path = Field(default_factory=lambda: user_cache_path("lineagegraph"))
    neo4j_uri: str | None = None
    neo4j_user: str = "neo4j"
    neo4j_password: SecretStr | None = None
    neo4j_database: str | None = None
    neo4j_browser_url: str | None = None
    neo4j_heap: str = "1g"
    neo4j_page_cache: str = "512m"
    neo4j_java_options: str = "-XX:+UseG1GC"
    neo4j_conf: dict[str, str] = Field(default_factory=dict)
    neo4j_start_seconds: float = Field(default=180.0, gt=0)
    maven_repository: str | None = None
    java_home: Path | None = None
    host: str = "127.0.0.1"
    port: int = 8642
    namespace: str = "default"
    application: str = "default"
    inherit_namespace: bool = True
    zone: str = "UTC"
    worker_slots: int = Field(default=2, ge=1)
    resting_workers: int = Field(default=8, ge=0)
    freshness_counts: Literal["end", "data_end"] = "end"
    tick_seconds: float = Field(default=1.0, gt=0)
    heartbeat_seconds: float = Field(default=5.0, gt=0)
    lease_seconds: float = Field(default=20.0, gt=0)
    news_seconds: float = Field(default=3600.0, gt=0)
    silent_after: dict[str, Age] = Field(default_factory=dict)
    run_states_age: Age = Field(default=timedelta(days=7), validate_default=False)
    retention: dict[str, Age] = Field(default_factory=dict)
    notify: Routes = ()
    forward: Forwards = ()
    forward_max_events: int = Field(default=500_000, ge=1)
    parse_seconds: float = Field(default=60.0, gt=0)
    parse_memory_bytes: int = Field(default=2_000_000_000, ge=100_000_000)
    definitions: tuple[Path, ...] = ()
    dynamic_seconds: float = Field(default=300.0, gt=0)
    archive_url: str | None = None
    archive_graph_bytes: int = Field(default=1_000_000, ge=0, le=16_000_000)
    archive_max_bytes: int = Field(default=8 * 1024 * 1024, ge=1_000)
    rerun_policy: str = Field(default="ask", pattern=r"^(as_was|latest|ask|pinned:[0-9a-f]{4,64})$")
    max_expanded_tasks: int = Field(default=1_000, ge=1)
    tables: str | None = None
    tables_age: Age = Field(default=timedelta(hours=6), validate_default=False)
    metrics_nodes: int = Field(default=1_000, ge=0)
    smart_sensors: bool = True
    sensor_processes: int = Field(default=1, ge=0)
    sensor_shards: int = Field(default=64, ge=1, le=10_000)
    sensor_lease_seconds: float = Field(default=12.0, gt=0)
    sensor_stall_seconds: float = Field(default=10.0, gt=0)
    sensor_host_at_once: int = Field(default=8, ge=1)
    sensor_callback_seconds: float = Field(default=60.0, gt=0)
    sensor_kinds: tuple[str, ...] = ()
    sensor_roots: tuple[str, ...] = ()
    sensor_http_allow: tuple[str, ...] = ()
    sensor_http_deny: tuple[str, ...] = ()
    sensor_poke_seconds: float = Field(default=30.0, gt=0)
    sensor_http_bytes: int = Field(default=1_000_000, ge=1_000)
    strict: bool = False
    max_body_bytes: int = Field(default=16_000_000, ge=1_000)
    max_waiting_events: int = Field(default=10_000, ge=1)
    max_waiting_bytes: int = Field(default=64_000_000, ge=1)
    min_free_bytes: int = Field(default=200_000_000, ge=0)
    max_spool_bytes: int = Field(default=1_000_000_000, ge=0)

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
        return init_settings, env_settings, TomlConfigSettingsSource(settings_cls)


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
            f"setting {name}: {first['msg']} (set {variable} or lineagegraph.toml)"
        ) from error
    except PydanticSettingsError as error:
        raise SettingsError(f"{error}: it must be JSON") from None


def settings_environment(settings: Settings) -> dict[str, str]:
    """Return environment variables with which another process loads the same settings."""
    values = settings.model_dump(exclude_none=True)
    return {f"LINEAGEGRAPH_{name.upper()}": _spell(value) for name, value in values.items()}


def _spell(value: Any) -> Any:
    if isinstance(value, dict):
        return json.dumps({name: _spell(age) for name, age in value.items()})
    if isinstance(value, timedelta):
        return f"{value.total_seconds()}s"
    if isinstance(value, tuple):
        return json.dumps(value, default=_spell)
    if isinstance(value, Path):
        return str(value.absolute())
    if isinstance(value, SecretStr | Secret):
        return value.get_secret_value()
    return str(value)
