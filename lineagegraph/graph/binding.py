"""A Cypher file as a typed function.

`@bound` on `store.runs.leases.list_held` reads `cypher/runs/leases/list_held.cypher`. The
function's keyword arguments are the statement's parameters, and its return annotation defines the
result:
`Row | None` for at most one row, `list[Row]` for all of them, a plain type for the one value of
the one row, `None` for nothing. Many rows come quicker as the one list `rows`, which is one
message, and quickest if each row is itself a list, in the order of the fields of an `array_like`
struct. A statement that goes over a list (`rows`, `ids` …) is not sent if the list is empty. A
pattern of up to 1000000 steps ends at `depth`, so that a look nearby does not go through the graph.
"""

import functools
import inspect
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime, time, timezone
from types import NoneType, UnionType
from typing import (
    Any,
    LiteralString,
    ParamSpec,
    Protocol,
    TypeVar,
    cast,
    get_args,
    get_origin,
    get_type_hints,
)

import msgspec
from neo4j import Query, Record, Result
from neo4j.time import Date, DateTime, Duration

from lineagegraph.errors import QueryRefused
from lineagegraph.graph.statements import statement, summary
from lineagegraph.model.typed import convert_value


class Transaction(Protocol):
    """The transaction or session of the driver in which a bound function runs."""

    def run(self, query: LiteralString | Query, parameters: dict[str, Any] | None = None) -> Result:
        """Run one statement."""
        ...


class Unspelled(dict[str, Any]):
    """Parameters without a text: the driver makes one for its log, even if nothing is logged."""

    def __repr__(self) -> str:
        return "{…}"


P = ParamSpec("P")
R = TypeVar("R")
OVER = frozenset({"rows", "ids", "keys", "hashes", "names", "run_ids", "trigger_ids"})
_GIVEN = "given"
_ANY_LENGTH = "..1000000]"
_FAR = 21
"""From this `depth` on, a pattern is not cut: each depth is a plan that Neo4j keeps."""
_STORE, _GRAPH = "lineagegraph.store.", "lineagegraph.graph."
_PLAIN = frozenset({str, int, bool, float, NoneType})
_PARAMETER = re.compile(r"\$(\w+)")
Reader = Callable[[list[Record]], Any]


def bound(function: Callable[P, R]) -> Callable[P, R]:
    """Bind a function without a body to the Cypher file that has its module's and its own name."""
    room = function.__module__.removeprefix(_STORE).removeprefix(_GRAPH).replace(".", "/")
    name = f"{room}/{function.__name__}"
    parameters = _parameters(function)
    over = OVER & parameters

    @functools.wraps(function)
    def run(*args: P.args, **kwargs: P.kwargs) -> R:
        if any(not kwargs[listed] for listed in over):
            return cast("R", reader()([]))
        (transaction,) = cast("tuple[Transaction]", args)
        depth = cast("int", kwargs.get("depth", _FAR))
        given = Unspelled(sendable(kwargs))
        records = transaction.run(text(min(depth, _FAR)), {_GIVEN: given})
        return cast("R", reader()(list(records)))

    @functools.cache
    def text(depth: int) -> LiteralString:
        written = statement(name)
        if depth < _FAR:
            written = written.replace(_ANY_LENGTH, f"..{depth}]")
        # One map in the place of many parameters: of lists Neo4j plans a statement anew for each
        # order of magnitude of their lengths, of a map's members it does not.
        return _PARAMETER.sub(rf"${_GIVEN}.\1", written)

    @functools.cache
    def reader() -> Reader:
        return _reader(get_type_hints(function)["return"])

    run.__doc__ = summary(name)
    run.__setattr__("statement", name)
    run.__setattr__("parameters", parameters)
    return run


def plain(value: Any) -> Any:
    """Return a driver's value with Python's own dates, times and durations in it."""
    if type(value) in _PLAIN:
        return value
    if isinstance(value, dict):
        return {key: v if type(v) in _PLAIN else plain(v) for key, v in value.items()}
    if isinstance(value, list):
        return [v if type(v) in _PLAIN else plain(v) for v in value]
    if isinstance(value, DateTime | Date):
        return value.to_native()
    if isinstance(value, Duration):
        return value.iso_format()
    return value


def sendable(value: Any) -> Any:
    """Return a value with no time that has a zone of Python's: Neo4j's driver may crash on one.

    It hands its own times to `ZoneInfo.utcoffset`, which takes each for a `datetime` in memory.
    """
    if type(value) in _PLAIN:
        return value
    if isinstance(value, dict):
        return {key: v if type(v) in _PLAIN else sendable(v) for key, v in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [v if type(v) in _PLAIN else sendable(v) for v in value]
    if isinstance(value, datetime) and value.tzinfo and not isinstance(value.tzinfo, timezone):
        return value.astimezone(UTC)
    if isinstance(value, time) and value.tzinfo and value.utcoffset() is None:
        raise ValueError(f"{value} in {value.tzinfo} has no offset without a date")
    return value


@contextmanager
def sending() -> Iterator[None]:
    """Raise `QueryRefused` for parameters that cannot be sent, such as a number of 65 bits."""
    try:
        yield
    except (TypeError, ValueError, OverflowError) as error:
        raise QueryRefused(f"a parameter cannot be sent to Neo4j: {error}") from None


def _parameters(function: Callable[..., Any]) -> frozenset[str]:
    parameters = inspect.signature(function).parameters.values()
    return frozenset(p.name for p in parameters if p.kind is p.KEYWORD_ONLY)


def _reader(annotation: Any) -> Reader:
    if annotation is NoneType:
        return lambda records: None
    if get_origin(annotation) is list:
        (row,) = get_args(annotation)
        return _list_reader(row)
    if get_origin(annotation) is UnionType:
        (row,) = (part for part in get_args(annotation) if part is not NoneType)
        return lambda records: _row(records[0], row) if records else None
    return lambda records: _row(_only(records), annotation)


def _list_reader(row: Any) -> Reader:
    of: Any = list[row]
    has_fields, is_open = _has_fields(row), _holds_any(row)

    def read(records: list[Record]) -> list[Any]:
        if [record.keys() for record in records] == [["rows"]]:
            values = records[0].value()
        else:
            values = [_value(record, has_fields) for record in records]
        if not is_open:
            # Most rows have no times of the driver's own: to copy them all would take longer than
            # to convert them.
            with suppress(msgspec.ValidationError):
                return cast("list[Any]", convert_value(values, of, strict=False))
        return cast("list[Any]", convert_value(plain(values), of, strict=False))

    return read


def _holds_any(kind: Any) -> bool:
    """Return whether a type takes values of any type, as they are."""
    if kind in (Any, dict, list, tuple):
        return True
    hints = get_type_hints(kind).values() if hasattr(kind, "__struct_fields__") else get_args(kind)
    return any(_holds_any(hint) for hint in hints)


def _only(records: list[Record]) -> Record:
    (record,) = records
    return record


def _row(record: Record, wanted: Any) -> Any:
    return convert_value(plain(_value(record, _has_fields(wanted))), wanted, strict=False)


def _has_fields(wanted: Any) -> bool:
    return get_origin(wanted) is dict or hasattr(wanted, "__struct_fields__")


def _value(record: Record, has_fields: bool) -> Any:
    """Return a record as a map, or the value of its only column."""
    if has_fields:
        return dict(zip(record.keys(), record.values(), strict=True))
    (value,) = record.values()
    return value
