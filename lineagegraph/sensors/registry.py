"""Which kinds of sensors there are: those that come along, and those that others add."""

from collections.abc import Mapping
from functools import cache
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from operator import attrgetter

from lineagegraph.errors import InvalidSensor
from lineagegraph.model.names.nearest import did_you_mean
from lineagegraph.sensors.sensor import Sensor
from lineagegraph.sensors.texts import one_line
from lineagegraph.settings import load_settings

GROUP = "lineagegraph.sensors"
_KINDS = "lineagegraph.sensors.kinds"
BUILT_IN = {
    "dataset": f"{_KINDS}.dataset:DatasetSensor",
    "file": f"{_KINDS}.file:FileSensor",
    "http": f"{_KINDS}.http:HttpSensor",
    "partition": f"{_KINDS}.partition:PartitionSensor",
    "python": f"{_KINDS}.python:PythonSensor",
    "run": f"{_KINDS}.run:RunSensor",
    "sql": f"{_KINDS}.sql:SqlSensor",
    "time": f"{_KINDS}.time:TimeSensor",
}


def known_kinds() -> list[str]:
    """Return the names of all kinds."""
    return sorted({*BUILT_IN, *_installed(), *_set(load_settings().sensor_kinds)})


def find_kind(kind: str) -> type[Sensor]:
    """Return the class of a kind; raise `InvalidSensor` if there is none of that name."""
    if kind in BUILT_IN:
        return _load(kind, BUILT_IN[kind])
    found = _set(load_settings().sensor_kinds).get(kind)
    if found is not None:
        return found
    if kind in _installed():
        return _load(kind, _installed()[kind].value)
    raise InvalidSensor(f"no kind of sensor is named {kind!r}{did_you_mean(kind, known_kinds())}")


def check_confined_kind(kind: str) -> None:
    """Raise `InvalidSensor` for a kind of an installed package that the setting does not name."""
    if kind not in BUILT_IN and kind not in _set(load_settings().sensor_kinds):
        raise InvalidSensor(
            f"kind {kind} of sensor may not be used over HTTP: name it in setting sensor_kinds"
        )


@cache
def _installed() -> Mapping[str, EntryPoint]:
    return {point.name: point for point in entry_points(group=GROUP)}


@cache
def _set(places: tuple[str, ...]) -> Mapping[str, type[Sensor]]:
    """Return the classes that the setting names, by their kind."""
    return {_named(place).kind: _named(place) for place in places}


def _named(place: str) -> type[Sensor]:
    found = _imported(place, f"setting sensor_kinds: {place}")
    if found.kind in BUILT_IN:
        raise InvalidSensor(f"setting sensor_kinds: {place}: kind {found.kind} is built in already")
    return found


@cache
def _load(kind: str, place: str) -> type[Sensor]:
    found = _imported(place, f"kind {kind} of sensor: {place}")
    if found.kind != kind:
        raise InvalidSensor(f"kind {kind} of sensor: {place} defines kind {found.kind!r}")
    return found


def _imported(place: str, what: str) -> type[Sensor]:
    module, _, name = place.partition(":")
    try:
        found = attrgetter(name)(import_module(module))
    except Exception as error:
        said = f"{type(error).__name__}: {one_line(error)}"
        raise InvalidSensor(f"{what} cannot be imported: {said}") from None
    if not (isinstance(found, type) and issubclass(found, Sensor) and found.kind):
        raise InvalidSensor(f"{what} is not a subclass of Sensor with a `kind`")
    return found
