"""What the settings forbid is refused where it is stated."""

from collections.abc import Iterator
from typing import Any

import pytest

import lineagegraph as lg
from lineagegraph.errors import DefinitionError, InvalidSensor
from lineagegraph.sensors import permitted_sensor
from lineagegraph.settings import load_settings

FORBIDDEN: list[tuple[str, dict[str, Any], str]] = [
    ("file", {"path": "/etc/passwd"}, "setting sensor_roots"),
    ("partition", {"path": "/data/../etc", "partition": "a=1"}, "setting sensor_roots"),
    ("sql", {"url": "sqlite:////etc/x.db", "query": "SELECT 1"}, "setting sensor_roots"),
    ("http", {"url": "http://10.0.0.1/x"}, "settings sensor_http_allow"),
    ("file", {"path": "https://internal.example/x"}, "setting"),
]


@pytest.fixture(autouse=True)
def _settings(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """An installation that lets sensors look at little."""
    monkeypatch.setenv("LINEAGEGRAPH_SENSOR_ROOTS", '["/data"]')
    monkeypatch.setenv("LINEAGEGRAPH_SENSOR_HTTP_DENY", '["10.0.0.0/8", "*.example"]')
    load_settings.cache_clear()
    yield
    load_settings.cache_clear()


@pytest.mark.parametrize(("kind", "fields", "said"), FORBIDDEN)
def test_a_sensor_that_may_not_be_looked_at_is_refused(
    kind: str, fields: dict[str, Any], said: str
) -> None:
    with pytest.raises(InvalidSensor, match=said):
        permitted_sensor(kind, fields)


@pytest.mark.parametrize(("kind", "fields", "said"), FORBIDDEN)
def test_a_definition_that_states_it_is_refused_with_its_place(
    kind: str, fields: dict[str, Any], said: str
) -> None:
    with pytest.raises(DefinitionError, match=rf"test_permitted\.py:\d+: .*{said}"):
        lg.sensor(kind, **fields)


def test_what_is_not_forbidden_may_be_stated() -> None:
    assert permitted_sensor("file", {"path": "/data/x"})
    assert permitted_sensor("http", {"url": "http://11.0.0.1/x"})
