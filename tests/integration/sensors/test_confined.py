"""A sensor that a token stated pokes only files, databases and hosts that the settings name."""

import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from lineagegraph.errors import InvalidSensor, PokeFailed
from lineagegraph.sensors import (
    SensorPolicy,
    confined_fields,
    make_sensor,
    permitted_sensor,
    sensor_id,
)
from lineagegraph.settings import Settings
from tests.integration.sensors.looks import empty, look, look_at
from tests.integration.sensors.web import Reply, Web, serving


@pytest.fixture
def web() -> Iterator[Web]:
    """A server on loopback."""
    with serving() as server:
        yield server


def poke(kind: str, fields: dict[str, Any], **settings: Any) -> bool:
    return look_at(make_sensor(kind, confined_fields(kind, fields)), **settings)


UNNAMED: list[tuple[str, dict[str, Any]]] = [
    ("file", {"path": "/etc/passwd"}),
    ("file", {"path": "/etc/pass*"}),
    ("file", {"path": "file:///etc/passwd"}),
    ("file", {"path": "/data/../etc/passwd"}),
    ("file", {"path": "/data/x/../../etc/passwd"}),
    ("file", {"path": "simplecache:///etc/passwd"}),
    ("file", {"path": "reference:///etc/passwd"}),
    ("file", {"path": "s3://lake/raw/%2e%2e/secret"}),
    ("file", {"path": "s3://other/raw/x", "connection": "lake"}),
    ("file", {"path": "sftp://db.example.com/etc/passwd"}),
    ("file", {"path": "https://files.example.com/x"}),
    ("partition", {"path": "/etc", "partition": "a=1"}),
    ("partition", {"table": "sales", "partition": "a=1"}),
    ("sql", {"url": "sqlite:////etc/x.db", "query": "SELECT 1"}),
    ("sql", {"url": "sqlite://", "query": "SELECT 1"}),
    ("sql", {"url": "postgresql+psycopg://169.254.169.254/db", "query": "SELECT 1"}),
    ("sql", {"url": "postgresql+psycopg://db.example.com,127.0.0.1/db", "query": "SELECT 1"}),
    ("sql", {"url": "postgresql+psycopg:///db", "query": "SELECT 1"}),
    ("sql", {"url": "postgresql+psycopg://%2Fvar%2Frun/db", "query": "SELECT 1"}),
    *(
        ("http", {"url": f"http://{host}/x"})
        for host in (
            "127.0.0.1",
            "localhost",
            "other.example.org",
            "169.254.169.254",
            "2852039166",
            "0xa9fea9fe",
            "025177524776",
            "169.254.43518",
            "[::ffff:169.254.169.254]",
            "[::169.254.169.254]",
            "[64:ff9b::a9fe:a9fe]",
            "[64:ff9b:1::a9fe:a9fe]",
            "[fd20:ce::254]",
            "[fd00:ec2::254]",
            "100.100.100.200",
            "168.63.129.16",
        )
    ),
]
_NAMED = Settings(
    sensor_roots=("/data", "s3://lake/raw"),
    sensor_http_allow=("db.example.com", "*.example.com", "203.0.113.0/24"),
)


@pytest.mark.parametrize("settings", [Settings(), _NAMED], ids=["nothing named", "some named"])
@pytest.mark.parametrize(("kind", "fields"), UNNAMED, ids=str)
def test_what_the_settings_do_not_name_is_refused_at_its_creation(
    kind: str, fields: dict[str, Any], settings: Settings
) -> None:
    policy = SensorPolicy.of(settings, confined=True)
    sensor = make_sensor(kind, confined_fields(kind, fields))
    # A name may lead to an address of a network that is named, so the poke resolves it.
    if fields.get("url") in ("http://localhost/x", "http://other.example.org/x"):
        policy = SensorPolicy.of(Settings(sensor_http_allow=("db.example.com",)), confined=True)
    with pytest.raises(InvalidSensor, match="setting"):
        sensor.permit(policy)


def test_a_metadata_address_needs_a_network_of_its_own() -> None:
    sensor = make_sensor("http", {"url": "http://0xa9fea9fe/latest"})
    for allow in (("0.0.0.0/0",), ("*",), ("160.0.0.0/4", "169.254.169.*")):
        with pytest.raises(InvalidSensor, match="sensors must not send requests to"):
            sensor.permit(SensorPolicy.of(Settings(sensor_http_allow=allow)))
    sensor.permit(SensorPolicy.of(Settings(sensor_http_allow=("169.254.169.254",))))


def test_chains_of_file_systems_are_no_paths() -> None:
    for path in ("simplecache::file:///etc/x", "zip://*::/etc/x", "/data/x::file:///etc/x"):
        with pytest.raises(InvalidSensor, match="chained file systems"):
            make_sensor("file", {"path": path})


def test_it_is_judged_again_when_it_is_poked(tmp_path: Path) -> None:
    there = {"path": str(empty(tmp_path / "ok" / "x"))}
    assert poke("file", there, sensor_roots=(str(tmp_path),))
    for settings in ({}, {"sensor_roots": (f"{tmp_path}/other",)}):
        with pytest.raises(PokeFailed, match="setting sensor_roots"):
            poke("file", there, **settings)


def test_links_out_of_a_root_show_nothing_of_what_is_there(tmp_path: Path) -> None:
    empty(tmp_path / "away" / "secret")
    empty(tmp_path / "ok" / "mine")
    (tmp_path / "ok" / "link").symlink_to(tmp_path / "away")
    roots = {"sensor_roots": (f"{tmp_path}/ok",)}
    assert poke("file", {"path": f"{tmp_path}/ok/m*"}, **roots)
    for pattern in ("l*/secret", "l*/nothing", "*/secret", "**/secret"):
        assert not poke("file", {"path": f"{tmp_path}/ok/{pattern}"}, **roots)


def test_a_database_that_is_named_is_asked_and_its_errors_show_no_values(tmp_path: Path) -> None:
    file = tmp_path / "state.db"
    with sqlite3.connect(file) as database:
        database.execute("CREATE TABLE t AS SELECT 'hidden' AS value")
    asked = {"url": f"sqlite:///{file}", "query": "SELECT value FROM t"}
    assert poke("sql", asked, sensor_roots=(str(tmp_path),))
    with pytest.raises(PokeFailed, match="setting sensor_roots"):
        poke("sql", asked)
    wrong = {**asked, "query": "SELECT json(value) FROM t, missing_hidden"}
    with pytest.raises(PokeFailed, match="the database refused the query") as caught:
        poke("sql", wrong, sensor_roots=(str(tmp_path),))
    assert "hidden" not in str(caught.value)


def test_a_server_that_is_named_may_not_lead_to_one_that_is_not(web: Web) -> None:
    web.replies["/x"] = Reply(302, headers=(("Location", f"http://127.0.0.2:{web.port}/y"),))
    web.replies["/y"] = Reply()
    named = {"sensor_http_allow": ("127.0.0.1",)}
    assert poke("http", {"url": web.url("/y")}, **named)
    assert look("http", url=web.url("/y"))
    with pytest.raises(PokeFailed, match=r"sensors must not send requests to 127\.0\.0\.2"):
        poke("http", {"url": web.url("/x")}, **named)
    with pytest.raises(PokeFailed, match=r"sensors must not send requests to 127\.0\.0\.1"):
        poke("http", {"url": web.url("/y")})
    # A name of a wildcard may be made to lead to this machine.
    with pytest.raises(PokeFailed, match=r"sensors must not send requests to localhost \("):
        poke("http", {"url": web.url("/y", "localhost")}, sensor_http_allow=("local*",))
    assert poke("http", {"url": web.url("/y", "localhost")}, sensor_http_allow=("localhost",))


def test_an_endpoint_of_a_connection_is_judged_as_a_server() -> None:
    policy = SensorPolicy.of(_NAMED, confined=True)
    for options in (
        {"endpoint_url": "http://127.0.0.1:9000"},
        {"client_kwargs": {"endpoint_url": "http://169.254.169.254"}},
        {"host": "127.0.0.1"},
    ):
        with pytest.raises(InvalidSensor, match="sensors must not send requests to"):
            policy.check_options(options)
    policy.check_options({"endpoint_url": "http://203.0.113.7:9000", "key": "x"})


def test_it_shares_no_poke_with_a_sensor_of_a_definition() -> None:
    stated = make_sensor("file", {"path": "/data/x"})
    confined = make_sensor("file", confined_fields("file", {"path": "/data/x", "confined": False}))
    assert confined.confined
    assert sensor_id(stated) != sensor_id(confined)
    times = {"at": "2099-01-01T00:00:00Z"}
    assert confined_fields("time", times) == times


def test_a_kind_of_an_installed_package_needs_the_setting(monkeypatch: pytest.MonkeyPatch) -> None:
    from importlib.metadata import EntryPoint

    from lineagegraph.sensors import registry

    place = "tests.integration.sensors.own_kinds"
    point = EntryPoint("queue", f"{place}:Queue", registry.GROUP)
    monkeypatch.setattr(registry, "_installed", lambda: {"queue": point})
    registry._load.cache_clear()
    assert permitted_sensor("file", {"path": "/data/x"})
    with pytest.raises(InvalidSensor, match="name it in setting sensor_kinds"):
        registry.check_confined_kind("queue")
    monkeypatch.setattr(registry, "_set", lambda places: {"queue": object})
    registry.check_confined_kind("queue")
