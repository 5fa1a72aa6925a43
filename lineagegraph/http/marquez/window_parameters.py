"""Which runs count, as a request says it."""

from typing import Any

import msgspec
from starlette.requests import Request

from lineagegraph.explore.window import Window
from lineagegraph.http.plumbing.parameters import one_of, time_of
from lineagegraph.http.plumbing.refusal import RequestRefused
from lineagegraph.model.canonical import canonical_json
from lineagegraph.model.typed import decode_json

_RUNS = {"all": False, "latest": True}


def window_of(request: Request) -> Window:
    """Return what `runs`, `since`, `partition` and `at` say."""
    return Window(
        latest=one_of(request, "runs", _RUNS, "all"),
        since=time_of(request, "since"),
        partition=_partition(request.query_params.get("partition")),
        at=time_of(request, "at"),
    )


def _partition(text: str | None) -> dict[str, str]:
    """Read a JSON map, or `key=value,key=value`."""
    if text is None:
        return {}
    if text.lstrip().startswith("{"):
        return {key: _text(value) for key, value in _map(text).items()}
    pairs = [pair.partition("=") for pair in text.split(",")]
    if not all(key and sign for key, sign, _ in pairs):
        raise RequestRefused(400, "partition is a JSON map or key=value,key=value", "partition")
    return {key: value for key, _, value in pairs}


def _map(text: str) -> dict[str, Any]:
    try:
        return decode_json(text, into=dict[str, Any])
    except (msgspec.DecodeError, RecursionError):
        raise RequestRefused(400, "partition is no JSON map", "partition") from None


def _text(value: Any) -> str:
    """Return a value as partitions have it: a text as itself, all else as JSON."""
    return value if isinstance(value, str) else canonical_json(value)
