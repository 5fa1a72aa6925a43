"""From JSON to an event, or to an error that names the JSON path."""

import json
import math
import re
from datetime import UTC, datetime
from typing import Any

import msgspec

from lineagegraph.errors import InvalidEvent
from lineagegraph.model.typed import convert_value
from lineagegraph.openlineage.events import AnyEvent, DatasetEvent, JobEvent, RunEvent

MAX_DEPTH = 64
_AT = re.compile(r"^(?P<what>.*?)(?: - at `(?P<path>\$.*)`)?$", re.DOTALL)


def decode_event(body: Any) -> AnyEvent:
    """Return the event of a JSON value; raise `InvalidEvent` if it is invalid.

    Empty `eventType` means OTHER. Null facets, inputs and outputs mean none, as producers send.
    """
    if not isinstance(body, dict):
        raise InvalidEvent(f"expected an OpenLineage event, got {type(body).__name__}")
    _check(body)
    try:
        event = convert_value(_without_nulls(body), _kind_of(body))
    except msgspec.ValidationError as error:
        found = _AT.match(str(error))
        assert found is not None
        raise InvalidEvent(found["what"], found["path"] or "$") from error
    _check_time(event.event_time)
    return event


def to_utc(time: datetime) -> datetime:
    """Return a time in UTC; one without a zone is taken as UTC."""
    return time.replace(tzinfo=UTC) if time.tzinfo is None else time.astimezone(UTC)


def _kind_of(body: dict[str, Any]) -> type[AnyEvent]:
    if body.get("run") is not None:
        return RunEvent
    if body.get("job") is not None:
        return JobEvent
    if body.get("dataset") is not None:
        return DatasetEvent
    raise InvalidEvent("expected a run, a job or a dataset in the event")


def _without_nulls(body: dict[str, Any]) -> dict[str, Any]:
    """Drop nulls above the facets: optional members of the specification may be null."""
    clean = {key: value for key, value in body.items() if value is not None}
    for key in ("run", "job", "dataset"):
        if isinstance(clean.get(key), dict):
            clean[key] = _set_members(clean[key])
    for key in ("inputs", "outputs"):
        if isinstance(clean.get(key), list):
            clean[key] = [_set_members(d) if isinstance(d, dict) else d for d in clean[key]]
    return clean


def _set_members(value: dict[str, Any]) -> dict[str, Any]:
    return {key: item for key, item in value.items() if item is not None}


def _check(body: dict[str, Any]) -> None:
    """Refuse values that cannot be encoded as JSON; search for the place only then."""
    try:
        _check_values(body)
        _check_texts(body)
    except (ValueError, TypeError, RecursionError):
        _find_fault(body, "$", 0)
        raise InvalidEvent("this is not a JSON value") from None


def _check_values(body: dict[str, Any]) -> None:
    level: list[Any] = [body]
    for _ in range(MAX_DEPTH + 1):
        below: list[Any] = []
        for one in level:
            for item in one.values() if type(one) is dict else one:
                kind = type(item)
                if kind is dict or kind is list:
                    below.append(item)
                elif kind is float and not math.isfinite(item):
                    raise ValueError
        if not below:
            return
        level = below
    raise RecursionError


def _check_texts(body: dict[str, Any]) -> None:
    try:
        msgspec.json.encode(body)
    except OverflowError:
        # An integer beyond 64 bits: what the slower encoder is for.
        json.dumps(body, ensure_ascii=False).encode()


def _check_time(time: datetime) -> None:
    try:
        to_utc(time)
    except OverflowError:
        raise InvalidEvent("a time outside the years 1 to 9999 in UTC", "$.eventTime") from None


def _find_fault(value: Any, path: str, depth: int) -> None:
    if depth > MAX_DEPTH:
        raise InvalidEvent(f"nested deeper than {MAX_DEPTH} levels", path)
    if isinstance(value, dict):
        for key, item in value.items():
            _check_text(key, path)
            _find_fault(item, f"{path}.{key}", depth + 1)
    elif isinstance(value, list):
        for position, item in enumerate(value):
            _find_fault(item, f"{path}[{position}]", depth + 1)
    elif isinstance(value, str):
        _check_text(value, path)
    elif isinstance(value, float) and not math.isfinite(value):
        raise InvalidEvent("a number that JSON does not have", path)


def _check_text(text: str, path: str) -> None:
    try:
        text.encode()
    except UnicodeEncodeError:
        raise InvalidEvent("text with a lone surrogate", path) from None
