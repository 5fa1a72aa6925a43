"""Past occurrences for the conditions of a rule."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any, NamedTuple

import msgspec

from lineagegraph.graph import Transaction
from lineagegraph.model.names.keys import dataset_key
from lineagegraph.model.triggers.condition import (
    AnyCondition,
    OnAbsent,
    OnDataset,
    OnEvent,
    OnFresh,
    OnStatus,
    OnUpstream,
)
from lineagegraph.model.verdicts import first_pass
from lineagegraph.store.triggers import previews
from lineagegraph.store.triggers.previews import PastOccurrence, PastTest
from lineagegraph.triggers.condition_nodes import ConditionNode
from lineagegraph.triggers.occurrences import time_of

MOST = 1000
Row = dict[str, Any]


class ReplayWindow(NamedTuple):
    """The time of the replay, both ends inclusive."""

    since: datetime
    until: datetime


class PastStart(NamedTuple):
    """The job that a rule starts, and the default namespace of its conditions."""

    key: str
    namespace: str


def read_past(
    tx: Transaction,
    nodes: Sequence[ConditionNode],
    started: PastStart,
    correlate_by: str | None,
    time: ReplayWindow,
) -> list[PastOccurrence]:
    """Return the occurrences of the conditions, the newest `MOST` of each."""
    leaves = [(node.id, watched_by(node.condition)) for node in nodes]
    within: Any = {**time._asdict(), "most": MOST}
    fresh = {node.id for node in nodes if isinstance(node.condition, OnFresh)}
    tested = previews.list_tested(tx, rows=list(_writes(leaves, correlate_by, True)), **within)
    return [
        *previews.list_ends(tx, rows=_ends(tx, leaves, started), **within),
        *previews.list_writes(tx, rows=list(_writes(leaves, correlate_by, False)), **within),
        *filter(None, (_passed(one, one.occurrence.condition_id in fresh) for one in tested)),
        *previews.list_events(tx, rows=list(_events(leaves)), **within),
    ]


def watched_by(condition: AnyCondition) -> AnyCondition:
    """Return the leaf that defines the subject of a condition."""
    return condition.of if isinstance(condition, OnFresh | OnAbsent) else condition


def _ends(
    tx: Transaction, leaves: Sequence[tuple[str, AnyCondition]], started: PastStart
) -> list[Row]:
    names: list[Row] = [
        {"condition_id": id_, "namespace": leaf.namespace or started.namespace, "fqn": leaf.job}
        for id_, leaf in leaves
        if isinstance(leaf, OnStatus | OnUpstream) and leaf.job
    ]
    keys = {one.condition_id: one.job_key for one in previews.list_jobs(tx, rows=names)}
    rows: list[Row] = []
    for id_, leaf in leaves:
        if isinstance(leaf, OnStatus):
            rows.append(_end(id_, leaf, [keys[id_]] if id_ in keys else []))
        elif isinstance(leaf, OnUpstream):
            fed = keys.get(id_) if leaf.job else started.key
            rows.append(_end(id_, leaf, _feeding(tx, fed, leaf.hops) if fed else []))
    return rows


def _end(id_: str, leaf: OnStatus | OnUpstream, keys: Sequence[str]) -> Row:
    only = (leaf.application, leaf.version) if isinstance(leaf, OnStatus) else (None, None)
    return {
        "condition_id": id_,
        "job_keys": keys,
        "statuses": list(leaf.statuses),
        "application": only[0],
        "version": only[1],
    }


def _feeding(tx: Transaction, fed: str, hops: int) -> list[str]:
    seen, here = {fed}, [fed]
    for _ in range(hops):
        here = [key for key in previews.list_feeding(tx, keys=here) if key not in seen]
        seen |= set(here)
    return sorted(seen - {fed})


def _passed(tested: PastTest, is_fresh: bool) -> PastOccurrence | None:
    """Return when a version first had passed; its freshness counts from its writing."""
    one = tested.occurrence
    passed = first_pass(time_of(one.occurred_at), tested.verdicts, tested.awaited)
    if passed is None:
        return None
    later = passed.at > time_of(one.judged_at)
    return msgspec.structs.replace(
        one,
        occurred_at=one.occurred_at if is_fresh else passed.at.isoformat(),
        judged_at=passed.at.isoformat() if later else one.judged_at,
        judge=passed.run_id if later else None,
    )


def _writes(
    leaves: Sequence[tuple[str, AnyCondition]], correlate_by: str | None, tested: bool
) -> Iterator[Row]:
    for id_, leaf in leaves:
        if isinstance(leaf, OnDataset) and bool(leaf.quality) is tested:
            key = dataset_key(leaf.namespace, leaf.name)
            parted = leaf.count > 1 or correlate_by == "partition"
            yield {"condition_id": id_, "dataset_key": key, "parted": parted}


def _events(leaves: Sequence[tuple[str, AnyCondition]]) -> Iterator[Row]:
    return (
        {"condition_id": id_, "event": leaf.name}
        for id_, leaf in leaves
        if isinstance(leaf, OnEvent)
    )
