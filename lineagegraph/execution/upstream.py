"""What set the running task's run off; tasks ask for it by `lg.upstream()`."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from lineagegraph.model.canonical import canonical_json
from lineagegraph.model.definition import Parameter
from lineagegraph.model.upstream import Upstream

_given: ContextVar[tuple[Upstream, ...]] = ContextVar("lineagegraph_upstream", default=())


def upstream() -> tuple[Upstream, ...]:
    """Return what set the run of this task off, the oldest first; nothing if a person started it.

    A program finds the same as JSON in the file that `LINEAGEGRAPH_UPSTREAM` names.
    """
    return _given.get()


@contextmanager
def given(what: Sequence[Upstream]) -> Iterator[None]:
    """Let `upstream` return this in this thread (and in contexts copied from it)."""
    token = _given.set(tuple(what))
    try:
        yield
    finally:
        _given.reset(token)


def offered(parameters: Iterable[Parameter], what: Iterable[Upstream]) -> dict[str, Any]:
    """Return the parameters that what set a run off has values for, under the same names.

    Where several disagree none of them counts.
    """
    payloads = [one.payload for one in what if one.chosen]
    values: dict[str, Any] = {}
    for parameter in parameters:
        found = [payload[parameter.name] for payload in payloads if parameter.name in payload]
        if found and len({canonical_json(value) for value in found}) == 1:
            values[parameter.name] = found[0]
    return values
