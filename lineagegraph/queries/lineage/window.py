"""Filters on runs: a time span, a partition, or the latest ended run of each job."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

import msgspec

from lineagegraph.graph import Transaction
from lineagegraph.model.names.keys import canonical_json
from lineagegraph.model.typed import decode_json
from lineagegraph.queries.lineage.lineage import Reach, near_nodes
from lineagegraph.store.lineage.lineage import (
    FlowRow,
    list_flows_of_runs,
    list_newest_by_value,
    list_newest_of_runs,
)

_ALL = 2**31


class Window(msgspec.Struct, frozen=True):
    """The filter: runs since a time, of some partition values, up to a time.

    With `latest`, only the newest ended run of each job.
    """

    latest: bool = False
    since: datetime | None = None
    partition: Mapping[str, str] = {}
    at: datetime | None = None

    @property
    def is_all(self) -> bool:
        """Return whether no filter is set."""
        return not (self.latest or self.since or self.partition)


def flows_of(tx: Transaction, jobs: list[str], window: Window) -> list[FlowRow]:
    """Return the reads and writes of the matching runs of jobs."""
    most = 1 if window.latest else _ALL
    return list_flows_of_runs(tx, keys=jobs, most=most, ended=window.latest, **_span(window))


def newest_of(tx: Transaction, jobs: list[str], window: Window) -> dict[str, str]:
    """Return the id of the newest matching run of each job that has one."""
    rows = list_newest_of_runs(tx, keys=jobs, ended=window.latest, **_span(window))
    return {row.key: row.run for row in rows}


def newest_by_value(
    tx: Transaction, jobs: list[str], window: Window, part: str
) -> dict[str, dict[str, str]]:
    """Return the newest run for each value of a partition key, by job."""
    rows = list_newest_by_value(tx, keys=jobs, opening=_opening(part), **_span(window))
    found: dict[str, dict[str, str]] = {}
    for row in rows:
        value = decode_json(f'"{row.value}"', into=str)
        found.setdefault(row.key, {})[value] = row.run
    return found


def within(found: Reach, flows: list[FlowRow], up: int, down: int) -> Reach:
    """Return the part of a reach that some flows alone can reach."""
    used = {(flow.source, flow.target): flow for flow in flows}
    ends = [(edge.source, edge.target) for edge in found.edges]
    edges = [used[end] for end in ends if end in used]
    near = near_nodes(edges, found.roots, up, down)
    return Reach(
        jobs=[job for job in found.jobs if job in near],
        datasets=[dataset for dataset in found.datasets if dataset in near],
        edges=tuple(edge for edge in edges if {edge.source, edge.target} <= near),
        roots=found.roots,
        cut=found.cut,
    )


def _span(window: Window) -> dict[str, Any]:
    """Return the parameters that all statements share.

    A partition is the canonical JSON of a map of texts, in which a quote inside a text has a
    backslash: a brace or a comma followed by a quote starts a key.
    """
    parts = [canonical_json({key: value})[1:-1] for key, value in window.partition.items()]
    return {"since": window.since, "at": window.at, "parts": parts}


def _opening(part: str) -> str:
    """Return the text before a value, escaped for the statement."""
    name = canonical_json(part).replace("\\\\", "\x01").replace('\\"', "\x02")
    return f',{name}:"'
