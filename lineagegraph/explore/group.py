"""A job in place of all below it: what goes in and what comes out, not what stays inside."""

from collections.abc import Iterable

import msgspec

from lineagegraph.explore.collapse import merged, moved
from lineagegraph.explore.lineage_graph import LineageGraph
from lineagegraph.graph import Transaction
from lineagegraph.store.lineage import FlowRow, JobRow, list_job_nodes


def group(tx: Transaction, graph: LineageGraph, key: str) -> LineageGraph:
    """Return the graph with the job of a key in place of itself and all below it.

    A dataset that is written and read inside, and by nobody else, is left out; one that others
    use too is an output, unless another writes it as well.
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
    made = {flow.target for flow in flows if flow.source in inside}
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
