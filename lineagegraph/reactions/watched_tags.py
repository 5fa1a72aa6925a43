"""Tags whose values must not reach other columns unnoticed: each new column is an event."""

import structlog

from lineagegraph.errors import LineagegraphError
from lineagegraph.graph import Graph, Transaction
from lineagegraph.model.names.keys import dataset_key, field_key
from lineagegraph.model.triggers.tag_event import name_tag_event
from lineagegraph.queries.lineage.tag_flow import ReachedColumn, TagFlow, find_tag_flow
from lineagegraph.settings import Settings
from lineagegraph.store.admin.audit import audited
from lineagegraph.store.lineage.tag_flow import claim_reached, list_watched, set_watched
from lineagegraph.triggers.external_event import record_event

log = structlog.get_logger()
_MOST_NAMED = 100


def watch_tag(graph: Graph, tag: str) -> TagFlow:
    """Watch a tag, and return the columns that its values reach already, which are no news.

    Raises `NotFound` for an unknown tag.
    """
    return graph.write(_watch, tag)


def unwatch_tag(graph: Graph, tag: str) -> None:
    """Watch a tag no more; one that is not watched stays as it is."""
    graph.write(_unwatch, tag)


def report_reached(graph: Graph, settings: Settings) -> int:
    """Record an event for each watched tag whose values reach new columns; return their number.

    However many processes call it, a column that stays reached is reported once.
    """
    reported = 0
    for tag in graph.read(list_watched):
        try:
            reported += graph.write(_report, tag, settings)
        except LineagegraphError as error:
            log.warning("tag_not_followed", tag=tag, error=str(error))
    return reported


def _watch(tx: Transaction, tag: str) -> TagFlow:
    with audited(tx, "tag.watch", tag):
        flow = find_tag_flow(tx, tag)
        set_watched(tx, name=tag, watched=True, now=None)
        claim_reached(tx, name=tag, keys=[_key(one) for one in flow.columns], now=None)
    return flow


def _unwatch(tx: Transaction, tag: str) -> None:
    with audited(tx, "tag.unwatch", tag):
        set_watched(tx, name=tag, watched=False, now=None)


def _report(tx: Transaction, tag: str, settings: Settings) -> int:
    flow = find_tag_flow(tx, tag)
    reached = {_key(one): one for one in flow.columns}
    new = claim_reached(tx, name=tag, keys=list(reached), now=None)
    if not new:
        return 0
    columns = [str(reached[key]) for key in new]
    log.warning("tag_reaches", tag=tag, columns=columns[:_MOST_NAMED], count=len(columns))
    payload = {"tag": tag, "columns": columns[:_MOST_NAMED], "count": len(columns)}
    record_event(tx, name_tag_event(tag), payload=payload, max_event_age=settings.max_event_age)
    return len(new)


def _key(one: ReachedColumn) -> str:
    return field_key(dataset_key(one.namespace, one.dataset), one.column)
