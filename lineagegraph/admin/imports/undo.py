"""Undo an import: leave the graph as if it had never happened.

Its events are deleted, and every touched node is rebuilt from its facts before the import and those
of other events since. Each step is a bounded transaction that can be repeated, so an interrupted
undo continues at the next call.
"""

from collections.abc import Callable

from lineagegraph.admin.imports.images import images_end, join_received
from lineagegraph.admin.imports.restore import delete_columns, restore
from lineagegraph.admin.imports.states import UNDOING
from lineagegraph.errors import NotFound, SourceFailed
from lineagegraph.graph import Graph, Transaction
from lineagegraph.ingest.finish_moves import settle
from lineagegraph.ingest.received import delete_unused
from lineagegraph.store.admin import imports
from lineagegraph.store.admin.audit import audit
from lineagegraph.store.admin.imports import Import

_EVENTS, _TOUCHED, _LINKS = 500, 100, 10_000
Step = Callable[[Transaction, str, int], bool | int | None]


def undo_import(
    graph: Graph, import_id: str, note: Callable[[str], None] = lambda what: None
) -> None:
    """Undo an import, which may be named by the start of its id; later ones have to go first."""
    found = graph.write(_begin, import_id)
    steps: list[tuple[str, Step, int]] = [
        ("removing tags", _delete_tagged, _EVENTS),
        ("removing events", _delete_events, _EVENTS),
        ("comparing with later events", join_received, _EVENTS),
        ("restoring earlier values", restore, _TOUCHED),
        ("removing runs", _delete_runs, _TOUCHED),
        ("updating jobs", _settle, 1),
        ("removing columns and datasets", delete_columns, _TOUCHED),
        ("hiding what was hidden", _hide_again, _EVENTS),
        ("removing namespaces, sources and tags", _delete_catalog, _EVENTS),
        ("removing facets", _delete_facets, _EVENTS),
        ("deleting the import", _delete_import, _LINKS),
    ]
    for what, step, limit in steps:
        note(what)
        while graph.write(step, found.id, limit):
            pass


def _find(tx: Transaction, import_id: str) -> Import:
    known = imports.list_imports(tx)
    named = [one for one in known if one.id.startswith(import_id)]
    if len(named) != 1:
        raise NotFound(f"no import {import_id!r}, or several: `lineagegraph import list` has them")
    if known[0] != named[0]:
        raise SourceFailed(f"undo import {known[0].id} first: it builds on this one")
    return named[0]


def _begin(tx: Transaction, import_id: str) -> Import:
    imports.claim_list(tx)
    found = _find(tx, import_id)
    if found.state != UNDOING:
        audit(tx, "import.undo", found.id, name=found.url, before={"state": found.state})
    imports.set_state(tx, id=found.id, state=UNDOING)
    return found


def _delete_tagged(tx: Transaction, import_id: str, limit: int) -> int:
    return imports.delete_tagged(tx, import_id=import_id, limit=limit)


def _delete_catalog(tx: Transaction, import_id: str, limit: int) -> int:
    return imports.delete_catalog(tx, import_id=import_id, limit=limit)


def _delete_events(tx: Transaction, import_id: str, limit: int) -> int:
    return imports.delete_events(tx, id=import_id, limit=limit)


def _delete_runs(tx: Transaction, import_id: str, limit: int) -> int:
    return imports.delete_runs(tx, import_id=import_id, limit=limit)


def _settle(tx: Transaction, import_id: str, limit: int) -> bool:
    return settle(tx)


def _hide_again(tx: Transaction, import_id: str, limit: int) -> int:
    return imports.set_hidden(tx, import_id=import_id, limit=limit)


def _delete_facets(tx: Transaction, import_id: str, limit: int) -> int:
    found = imports.list_facets(tx, import_id=import_id, limit=limit)
    delete_unused(tx, found, lambda tx: images_end(tx, import_id))
    imports.delete_added(tx, import_id=import_id, hashes=found)
    return len(found)


def _delete_import(tx: Transaction, import_id: str, limit: int) -> int | None:
    return imports.delete_import(tx, id=import_id, limit=limit)
