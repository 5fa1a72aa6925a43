"""Lineage of runs: ours as a graph of nodes, and Marquez's list of upstream runs."""

from functools import partial

from lineagegraph.http.marquez.lineage_answers import (
    DatasetVersionNodeAnswer,
    LineageAnswer,
    MakeNode,
    RunNodeAnswer,
    node_answers,
)
from lineagegraph.http.marquez.run_answers import run_answer
from lineagegraph.http.marquez.version_answers import dataset_version_answer
from lineagegraph.http.plumbing.answers import AnswerStruct, Timestamp, Uuid
from lineagegraph.model.runs.ids import uuid_of
from lineagegraph.queries.lineage.run_nodes import DescribedRuns
from lineagegraph.queries.lineage.upstream_runs import UpstreamRun
from lineagegraph.store.datasets.dataset_versions import DatasetVersionRow


class UpstreamJobAnswer(AnswerStruct):
    """The job of an upstream run."""

    namespace: str
    name: str | None
    version: Uuid | None


class UpstreamRunStateAnswer(AnswerStruct):
    """The state of an upstream run."""

    id: Uuid
    start: Timestamp | None
    end: Timestamp | None
    status: str


class UpstreamInputAnswer(AnswerStruct):
    """A dataset that an upstream run read, and the run that wrote that."""

    namespace: str
    name: str
    version: Uuid | None
    produced_by_run_id: Uuid | None


class UpstreamRunAnswer(AnswerStruct):
    """A run and its inputs."""

    job: UpstreamJobAnswer
    run: UpstreamRunStateAnswer
    inputs: list[UpstreamInputAnswer]


class UpstreamRunsAnswer(AnswerStruct):
    """Runs, the nearer ones first, each with its inputs."""

    runs: list[UpstreamRunAnswer]


def run_lineage_answer(found: DescribedRuns) -> LineageAnswer:
    """Return runs and versions by node id, in the shape that lineage of jobs has."""
    ids = {run.row.id: f"run:{run.row.id}" for run in found.runs}
    ids |= {version.row.key: _version_id(version.row) for version in found.versions}
    nodes: dict[str, MakeNode] = {
        ids[run.row.id]: partial(RunNodeAnswer, data=run_answer(run)) for run in found.runs
    }
    for version in found.versions:
        about = dataset_version_answer(version)
        nodes[ids[version.row.key]] = partial(DatasetVersionNodeAnswer, data=about)
    return LineageAnswer(node_answers(nodes, ids, found.edges), found.cut)


def upstream_answer(found: list[UpstreamRun]) -> UpstreamRunsAnswer:
    """Return runs, each with its inputs and the runs that wrote them."""
    return UpstreamRunsAnswer([_upstream_run(one) for one in found])


def _version_id(row: DatasetVersionRow) -> str:
    return f"dataset:{row.namespace}:{row.name}#{uuid_of(row.key)}"


def _upstream_run(one: UpstreamRun) -> UpstreamRunAnswer:
    run = run_answer(one.run)
    version = run.job_version.version if run.job_version else None
    return UpstreamRunAnswer(
        job=UpstreamJobAnswer(run.job.namespace, run.job.name, version),
        run=UpstreamRunStateAnswer(run.id, run.started_at, run.ended_at, run.state),
        inputs=[
            UpstreamInputAnswer(use.namespace, use.name, uuid_of(use.version), use.writer)
            for use in one.reads
        ],
    )
