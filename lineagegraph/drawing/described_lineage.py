"""Lineage with details as a graph for drawing."""

from lineagegraph.queries.jobs.job_details import JobDetail
from lineagegraph.queries.lineage.described_lineage import DescribedLineage
from lineagegraph.queries.lineage.lineage_graph import DatasetRow, JobRow, LineageGraph, Part
from lineagegraph.store.jobs.details import AboveRow
from lineagegraph.store.lineage.lineage import AncestorRow


def draw_lineage(found: DescribedLineage) -> LineageGraph:
    """Return the graph to draw: with the state of each part, without boxes for jobs that are
    frames.

    Its jobs are in the namespaces that they are served in.
    """
    linked = {end for flow in found.edges for end in (flow.source, flow.target)}
    frames = {above.key for job in found.jobs for above in job.row.ancestors} - linked
    jobs = (_job(job) for job in found.jobs if job.row.key not in frames)
    rows = (one.row for one in found.datasets)
    datasets = (DatasetRow(row.key, row.namespace, row.name, ()) for row in rows)
    parts = {
        key: tuple(Part(one.value, one.run.row.state) for one in runs)
        for key, runs in (found.by_value or {}).items()
    }
    return LineageGraph(
        nodes=(*jobs, *datasets),
        edges=found.edges,
        roots=found.roots,
        cut=found.cut,
        parts=parts,
    )


def _job(job: JobDetail) -> JobRow:
    return JobRow(
        key=job.row.key,
        namespace=job.namespace,
        name=job.row.name,
        simple_name=job.row.simple_name,
        kind=job.row.kind,
        state=job.runs[0].row.state if job.runs else None,
        ancestors=tuple(_above(above) for above in job.row.ancestors),
    )


def _above(above: AboveRow) -> AncestorRow:
    return AncestorRow(above.key, above.namespace, above.name, above.simple_name, None)
