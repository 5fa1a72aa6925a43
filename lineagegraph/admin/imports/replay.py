"""Import events of another server, page by page.

The position is written in the transaction of the events, so after any interruption the next import
of the same source continues there. A page begins at the time of the last imported event, inclusive:
repeated events do no harm, and events of the same time are not lost at the end of a page.
"""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any, NamedTuple

from lineagegraph.admin.imports.catalog import import_catalog
from lineagegraph.admin.imports.images import keys_of
from lineagegraph.admin.imports.source import PAGE, Source, ignores_offset
from lineagegraph.admin.imports.states import DONE, RUNNING, UNDOING, assert_kept
from lineagegraph.admin.lock import work_lock
from lineagegraph.errors import InvalidEvent, QueryRefused, SourceFailed
from lineagegraph.graph import Graph, Transaction
from lineagegraph.ingest.batch import Batch
from lineagegraph.ingest.extract import extract
from lineagegraph.ingest.finish_moves import settle
from lineagegraph.ingest.record import NO_NEWS, record
from lineagegraph.model.names.keys import canonical_json, text_hash
from lineagegraph.model.runs.ids import new_id
from lineagegraph.store.admin import imports
from lineagegraph.store.admin.audit import audit
from lineagegraph.store.admin.imports import Import

Note = Callable[[int, int], None]
START = "0001-01-01T00:00:00.000000+00:00"
_MOST_REPEATED = 50


class Position(NamedTuple):
    """From which time on a source is read next, and how many events of it are left out."""

    after: str
    offset: int


def import_events(
    graph: Graph,
    source: Source,
    *,
    namespaces: frozenset[str] = frozenset(),
    since: datetime | None = None,
    note: Note = lambda done, total: None,
    wait: Callable[[], None] = lambda: None,
) -> Import:
    """Import the events of a source, or of some of its namespaces, from a time on.

    An interrupted import of the same source continues. `note` is called with the number of imported
    events and the total, `wait` now and then while another process imports from the source. Raises
    `AlreadyRunning` if that goes on.
    """
    start = _spell(since) if since else START
    with work_lock(graph, f"import of {source.url}", wait):
        begun = graph.write(_begin, source, sorted(namespaces), start)
        _import_pages(graph, source, begun, namespaces, note)
        while graph.write(settle):
            pass
        import_catalog(graph, source, begun.id, namespaces)
        return graph.write(_end, begun)


def _import_pages(
    graph: Graph, source: Source, begun: Import, namespaces: frozenset[str], note: Note
) -> None:
    position, seen = Position(begun.after, begun.offset), 0
    known: list[str] = []
    again = 0
    while True:
        page = source.read_events(*position)
        keys = [_key(event) for event in page.events]
        again = again + 1 if position.offset and keys and keys == known else 0
        # A producer may have repeated one event for pages.
        if again and (len(set(keys)) > 1 or again > _MOST_REPEATED):
            raise ignores_offset(source.url, "the events of one time")
        known = keys
        seen += len(page.events)
        before, position = position, _next(position, page.events)
        _write(graph, begun.id, _chosen(page.events, namespaces), before, position)
        note(seen, max(page.total, seen))
        if len(page.events) < PAGE:
            break


def _begin(tx: Transaction, source: Source, namespaces: list[str], since: str) -> Import:
    imports.claim_list(tx)
    if any(one.state == UNDOING for one in imports.list_imports(tx)):
        raise SourceFailed("an import is being undone: finish that first with `import undo`")
    begun = imports.merge_import(
        tx,
        id=new_id(),
        url=source.url,
        account=source.account,
        namespaces=namespaces,
        since=since,
    )
    after = {"namespaces": namespaces, "after": begun.after, "offset": begun.offset}
    audit(tx, "import.start", begun.id, name=source.url, after=after)
    return begun


def _end(tx: Transaction, begun: Import) -> Import:
    assert_kept(tx, begun.id)
    imports.set_state(tx, id=begun.id, state=DONE)
    audit(tx, "import.end", begun.id, name=begun.url)
    return next(one for one in imports.list_imports(tx) if one.id == begun.id)


def _next(position: Position, events: list[Any]) -> Position:
    """Return the start of the next page: the last time of this one, if it is later."""
    last = max((time for event in events if (time := _time(event))), default=position.after)
    if last > position.after:
        return Position(last, 0)
    return Position(position.after, position.offset + len(events))


def _time(event: Any) -> str | None:
    try:
        time = datetime.fromisoformat(event["eventTime"])
        return _spell(time.replace(tzinfo=time.tzinfo or UTC))
    except (KeyError, TypeError, ValueError, OverflowError):
        return None


def _spell(time: datetime) -> str:
    return time.astimezone(UTC).isoformat(timespec="microseconds")


def _chosen(events: list[Any], namespaces: frozenset[str]) -> list[Any]:
    return [event for event in events if not namespaces or _namespace(event) in namespaces]


def _namespace(event: Any) -> str | None:
    about = event.get("job") or event.get("dataset") if isinstance(event, dict) else None
    return about.get("namespace") if isinstance(about, dict) else None


def _write(
    graph: Graph, import_id: str, events: list[Any], before: Position, position: Position
) -> None:
    """Write the events that can be, and the position with the last of them."""
    batch, refused = Batch(), list[str]()
    for event in events:
        try:
            batch.join(extract([event]))
        except (InvalidEvent, RecursionError):
            refused.append(_key(event))
    try:
        graph.write(_take, import_id, batch, position, refused)
    except QueryRefused:
        # One of them cannot be kept: the others can.
        for event in events:
            _write_alone(graph, import_id, event, before)
        graph.write(_take, import_id, Batch(), position, [])


def _write_alone(graph: Graph, import_id: str, event: Any, position: Position) -> None:
    try:
        graph.write(_take, import_id, extract([event]), position, [])
    except (QueryRefused, InvalidEvent, RecursionError):
        graph.write(_take, import_id, Batch(), position, [_key(event)])


def _key(event: Any) -> str:
    """Return the same text for the same event, which a page and the next one may have."""
    try:
        return text_hash(canonical_json(event))
    except (RecursionError, UnicodeEncodeError) as error:
        return f"{type(error).__name__} {_time(event)}"


def _take(
    tx: Transaction, import_id: str, batch: Batch, position: Position, refused: list[str]
) -> None:
    """Record a batch of an import, with the images of before and the new nodes."""
    touched = keys_of(batch)
    state = imports.set_position(
        tx,
        id=import_id,
        after=position.after,
        offset=position.offset,
        refused=refused,
        most=2 * PAGE,
    )
    if state != RUNNING:
        raise SourceFailed("this import was undone, or is being undone: start a new import")
    imports.link_known(tx, import_id=import_id, **touched)
    known = set(imports.list_known_events(tx, ids=sorted(batch.events)))
    old = set(imports.list_known_facets(tx, hashes=sorted(batch.facets)))
    batch.shown_by = import_id
    record(tx, batch, NO_NEWS)
    imports.link_new(tx, import_id=import_id, **touched)
    imports.link_events(
        tx,
        import_id=import_id,
        known=sorted(known),
        own=sorted(batch.events.keys() - known),
        facets=sorted(batch.facets.keys() - old),
    )
