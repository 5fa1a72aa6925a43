"""Lineage with tasks or pipelines in place of the jobs inside them."""

from collections.abc import Iterable
from typing import Literal

import msgspec

from lineagegraph.graph import Transaction
from lineagegraph.model.runs.states import JobKind
from lineagegraph.queries.lineage.lineage_graph import LineageGraph
from lineagegraph.store.lineage.lineage import FlowRow, JobRow, list_job_nodes

Level = Literal["pipeline", "task"]
_SPARK = (JobKind.APPLICATION, JobKind.ACTION)


def collapse(tx: Transaction, graph: LineageGraph, level: Level) -> LineageGraph:
    """Return the graph with each job replaced by its pipeline or task.

    A dataset that one job inside writes and another reads stays, as written only.
    """
    target = {job.key: _target(job, level) for job in graph.jobs}
    flows = _without_inner_reads(graph.edges, target)
    return msgspec.structs.replace(
        graph,
        nodes=(
            *list_job_nodes(tx, keys=sorted(set(target.values()))),
            *graph.datasets,
        ),
        edges=merged(moved(flow, target) for flow in flows),
        derivations=tuple(
            msgspec.structs.replace(d, job=target.get(d.job or "", d.job))
            for d in graph.derivations
        ),
        roots=tuple(sorted({target.get(root, root) for root in graph.roots})),
    )


def _target(job: JobRow, level: Level) -> str:
    line = [(above.key, above.kind) for above in job.ancestors] + [(job.key, job.kind)]
    if level == "pipeline":
        return line[0][0]
    return next((key for key, kind in reversed(line) if kind not in _SPARK), line[0][0])


def _without_inner_reads(flows: Iterable[FlowRow], target: dict[str, str]) -> list[FlowRow]:
    flows = list(flows)
    exact = {(flow.source, flow.target) for flow in flows}
    written = {(target[flow.source], flow.target) for flow in flows if flow.source in target}
    return [
        flow
        for flow in flows
        if flow.source in target
        or (flow.target, flow.source) in exact
        or (target[flow.target], flow.source) not in written
    ]


def moved(flow: FlowRow, target: dict[str, str]) -> FlowRow:
    """Return an edge between the jobs that replace its ends."""
    return msgspec.structs.replace(
        flow,
        source=target.get(flow.source, flow.source),
        target=target.get(flow.target, flow.target),
    )


def merged(flows: Iterable[FlowRow]) -> tuple[FlowRow, ...]:
    """Return edges with parallel ones merged into one, without those of a job to itself."""
    joined: dict[tuple[str, str], FlowRow] = {}
    for flow in flows:
        ends = (flow.source, flow.target)
        if flow.source != flow.target:
            joined[ends] = _joined(joined[ends], flow) if ends in joined else flow
    return tuple(joined[ends] for ends in sorted(joined))


def _joined(left: FlowRow, right: FlowRow) -> FlowRow:
    return FlowRow(
        left.source,
        left.target,
        min(filter(None, (left.first_seen, right.first_seen)), default=None),
        max(filter(None, (left.last_seen, right.last_seen)), default=None),
        max(left.runs or 0, right.runs or 0),
    )


def group(tx: Transaction, graph: LineageGraph, key: str) -> LineageGraph:
    """Return the graph with the job of a key in place of its whole subtree.

    A dataset that is written and read only inside is left out; one that others use too is an
    output, unless another job writes it as well.
    """
    inside = {job.key for job in graph.jobs if _is_inside(job, key)}
    others = {job.key for job in graph.jobs} - inside
    flows = _crossing(graph.edges, inside, others)
    used = {end for flow in flows for end in (flow.source, flow.target)}
    gone = {end for flow in graph.edges for end in (flow.source, flow.target)} - used
    rest = (node for node in graph.nodes if node.key not in inside | gone)
    return msgspec.structs.replace(
        graph,
        nodes=(*list_job_nodes(tx, keys=[key]), *rest),
        edges=merged(moved(flow, dict.fromkeys(inside, key)) for flow in flows),
        roots=(key,),
    )


def _is_inside(job: JobRow, key: str) -> bool:
    return key in (job.key, *(above.key for above in job.ancestors))


def _crossing(flows: Iterable[FlowRow], inside: set[str], others: set[str]) -> list[FlowRow]:
    flows = list(flows)
    # Only datasets are hidden: orders are edges between jobs, and stay.
    made = {flow.target for flow in flows if flow.source in inside} - inside - others
    taken = {flow.source for flow in flows if flow.target in inside}
    made_outside = {flow.target for flow in flows if flow.source in others}
    taken_outside = {flow.source for flow in flows if flow.target in others}
    hidden = (made & taken) - made_outside - taken_outside
    inner_reads = (made & taken) - made_outside
    return [
        flow
        for flow in flows
        if not {flow.source, flow.target} & hidden
        and not (flow.target in inside and flow.source in inner_reads)
    ]
