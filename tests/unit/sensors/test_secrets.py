"""Nobody finds a secret in a sensor, a view of a connection or an error."""

from pathlib import Path
from typing import Any

import pytest

from lineagegraph.errors import ConnectionNotSet, InvalidConnection, InvalidSensor
from lineagegraph.secrets import mask_text
from lineagegraph.sensors import make_sensor
from lineagegraph.sensors.connections import Connections

SECRET = "s3cr3t-v4lue"


@pytest.mark.parametrize(
    ("kind", "fields"),
    [
        ("http", {"url": f"https://me:{SECRET}@host/x"}),
        ("http", {"url": f"https://host/x?api_key={SECRET}"}),
        ("http", {"url": f"https://host/x?X-Amz-Signature={SECRET}"}),
        ("http", {"url": "https://host/x", "headers": {"Authorization": f"Bearer {SECRET}"}}),
        ("http", {"url": "https://host/x", "headers": {"X-Api-Key": SECRET}}),
        ("http", {"url": "https://host/x", "headers": {"Cookie": SECRET}}),
        ("http", {"url": "https://host/x", "method": "POST", "body": {"a": [{"pwd": SECRET}]}}),
        ("http", {"url": "https://host/x", "password": SECRET}),
        ("sql", {"query": "SELECT 1", "url": f"postgresql://me:{SECRET}@host/db"}),
        ("sql", {"query": "SELECT 1", "connection": "c", "parameters": {"accessToken": SECRET}}),
        ("file", {"path": f"ftp://me:{SECRET}@host/x"}),
        ("python", {"function": "a:b", "arguments": {"client_secret": SECRET}}),
    ],
)
def test_a_secret_is_no_field_of_a_sensor(kind: str, fields: dict[str, Any]) -> None:
    with pytest.raises(InvalidSensor) as caught:
        make_sensor(kind, fields)
    assert SECRET not in str(caught.value)


@pytest.mark.parametrize(
    "headers", [{"accept": "application/json"}, {"x-author": "me"}, {"x-tokenizer": "a"}]
)
def test_what_is_no_secret_may_be_said(headers: dict[str, str]) -> None:
    make_sensor("http", {"url": "https://host/x?page=1", "headers": headers})


def test_a_url_is_shown_without_its_secrets() -> None:
    shown = mask_text(f"postgresql://me:{SECRET}@host:5432/db?sslmode=on&password={SECRET}")
    assert shown == "postgresql://***@host:5432/db?sslmode=on&password=***"


def test_a_connection_is_kept_where_nobody_else_may_read(tmp_path: Path) -> None:
    connections = Connections(tmp_path / "home", {})
    connections.set("warehouse", f"postgresql://me:{SECRET}@host/db")
    assert (tmp_path / "home" / "connections.json").stat().st_mode & 0o777 == 0o600
    assert connections.find("warehouse").url == f"postgresql://me:{SECRET}@host/db"
    connections.unset("warehouse")
    with pytest.raises(ConnectionNotSet, match="LINEAGEGRAPH_CONNECTION_WAREHOUSE"):
        connections.find("warehouse")


def test_the_environment_comes_before_the_file(tmp_path: Path) -> None:
    Connections(tmp_path, {}).set("my-api", "https://file")
    connections = Connections(tmp_path, {"LINEAGEGRAPH_CONNECTION_MY_API": "https://environment"})
    assert connections.find("my-api").url == "https://environment"
    assert connections.names() == {"my-api": "environment"}


def test_views_of_a_connection_have_no_secret(tmp_path: Path) -> None:
    connections = Connections(tmp_path, {})
    options = f'{{"key": "{SECRET}", "client": {{"secret": "{SECRET}", "region": "eu"}}}}'
    connections.set(
        "api",
        f'{{"url": "https://host", "user": "me", "password": "{SECRET}", "token": "{SECRET}",'
        f' "headers": {{"X-Anything": "{SECRET}"}}, "options": {options}}}',
    )
    shown = connections.find("api").shown()
    assert SECRET not in str(shown)
    assert shown["options"] == {"key": "***", "client": {"secret": "***", "region": "eu"}}
    assert (shown["url"], shown["user"]) == ("https://host", "me")


def test_what_was_found_is_masked_in_every_error(tmp_path: Path) -> None:
    connections = Connections(tmp_path, {})
    connections.set("a", f"postgresql://me:{SECRET}%21@host/db")
    connections.find("a")
    said = f"cannot log in with {SECRET}! at postgresql://me:{SECRET}%21@host"
    assert SECRET not in connections.mask(said)


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ("", "the value is empty"),
        ("{}", "the value is empty"),
        ("just text", "neither a URL nor a JSON object"),
        ('{"url": 3}', r"Expected `str"),
        ('{"urll": "https://x"}', "unknown field `urll`"),
        ('{"url": ', "malformed|truncated"),
    ],
)
def test_a_value_that_is_no_connection_is_refused(tmp_path: Path, value: str, said: str) -> None:
    with pytest.raises(InvalidConnection, match=said):
        Connections(tmp_path, {}).set("x", value)


@pytest.mark.parametrize("name", ["", "a b", "ä", ".x", "x" * 101])
def test_a_name_that_is_none_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(InvalidConnection, match="not a valid connection name"):
        Connections(tmp_path, {}).set(name, "https://x")


def test_a_file_that_cannot_be_read_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "connections.json").write_text("{")
    with pytest.raises(InvalidConnection, match="cannot be read"):
        Connections(tmp_path, {}).find("x")


def test_a_name_that_is_nearly_known_is_told(tmp_path: Path) -> None:
    connections = Connections(tmp_path, {})
    connections.set("warehouse", "https://x")
    with pytest.raises(ConnectionNotSet, match=r"did you mean warehouse\?"):
        connections.find("warehous")
