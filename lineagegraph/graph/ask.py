"""A statement of the user's, with all that an answer can hold: nodes, paths, points, times."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import msgspec
from neo4j import Query, ResultSummary, SummaryCounters, graph, spatial, time

from lineagegraph.errors import GraphUnreachable
from lineagegraph.graph.binding import sendable, sending
from lineagegraph.graph.connection import Graph
from lineagegraph.graph.read_only import check_reads, explained
from lineagegraph.model.property_graph import Node, Path, Point, Relationship

MARK = "lineagegraph"
Note = Callable[[int], None]


class QueryAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """The rows of a statement, and its counts of changes by name.

    `is_cut` is whether there are more rows than requested, `notices` are Neo4j's warnings, such as
    of an unknown label.
    """

    columns: tuple[str, ...]
    rows: list[tuple[Any, ...]]
    is_cut: bool = False
    changes: dict[str, int] = {}
    notices: tuple[str, ...] = ()


def ask(
    connection: Graph,
    text: str,
    parameters: dict[str, Any],
    *,
    write: bool = False,
    limit: int | None = None,
    mark: str = "",
    note: Note = lambda rows: None,
) -> QueryAnswer:
    """Run a statement once; the server refuses one that writes, unless `write`.

    `limit` is the number of rows to fetch. `mark` goes into the metadata of the transaction;
    `note` is called now and then with the number of rows.
    """
    _wake(connection)
    query = Query(text, metadata={MARK: mark})
    with connection.autocommit(read_only=not write, notifies=True) as session:
        with sending():
            sent = sendable(parameters)
            if not write:
                check_reads(session, text, sent)
            result = session.run(query, sent)
        rows: list[tuple[Any, ...]] = []
        is_cut = False
        for record in result:
            if len(rows) == limit:
                is_cut = True
                # What writes has to come to its end; of what reads the rest is not wanted.
                if write:
                    continue
                break
            rows.append(tuple(map(read_value, record.values())))
            note(len(rows))
        columns = tuple(result.keys())
        summary = result.consume()
    return QueryAnswer(
        columns=columns,
        rows=rows,
        is_cut=is_cut,
        changes=_changes(summary.counters),
        notices=_notices(summary),
    )


def read_value(value: Any) -> Any:
    """Return a driver's value as one of Python or of `model.property_graph`."""
    match value:
        case graph.Node():
            labels = tuple(sorted(value.labels))
            return Node(value.element_id, labels, read_value(dict(value)))
        case graph.Relationship():
            return _relationship(value)
        case graph.Path():
            steps = tuple(map(_relationship, value.relationships))
            return Path(tuple(map(read_value, value.nodes)), steps)
        case spatial.Point():
            return Point(value.srid or 0, tuple(value))
        case time.Duration():
            return _duration(value)
        case time.DateTime() | time.Date() | time.Time():
            return value.to_native()
        case dict():
            return {key: read_value(one) for key, one in value.items()}
        case list():
            return [read_value(one) for one in value]
    return value


def _relationship(value: graph.Relationship) -> Relationship:
    source, target = (node.element_id if node else "" for node in value.nodes)
    properties = read_value(dict(value))
    return Relationship(value.element_id, value.type, source, target, properties)


def _duration(value: time.Duration) -> timedelta | str:
    """Return a duration; text if it has months, which have no fixed length, or is too long."""
    if value.months:
        return value.iso_format()
    micros = value.nanoseconds // 1000
    try:
        return timedelta(days=value.days, seconds=value.seconds, microseconds=micros)
    except OverflowError:
        return value.iso_format()


def read_notices(connection: Graph, text: str, parameters: dict[str, Any]) -> tuple[str, ...]:
    """Return Neo4j's warnings about a statement, without running it."""
    with connection.autocommit(read_only=True, notifies=True) as session, sending():
        return _notices(session.run(explained(text), sendable(parameters)).consume())


def _notices(summary: ResultSummary) -> tuple[str, ...]:
    notices = (one for one in summary.gql_status_objects if one.is_notification)
    return tuple(dict.fromkeys(one.status_description for one in notices))


def _changes(counters: SummaryCounters) -> dict[str, int]:
    found = {name: value for name, value in vars(counters).items() if not name.startswith("_")}
    return {name: value for name, value in found.items() if value and type(value) is int}


def _wake(connection: Graph) -> None:
    """Find out whether the server is there before a statement that is run only once."""
    try:
        connection.ping()
    except GraphUnreachable:
        # Connections of before a restart are dead, and are all dropped where one is met.
        connection.ping()
