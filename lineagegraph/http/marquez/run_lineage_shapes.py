"""Lineage of runs: ours as a graph of nodes, and Marquez's list of upstream runs."""

from typing import Any

from lineagegraph.http.marquez.lineage_shapes import nodes_shape
from lineagegraph.http.marquez.run_shapes import run_shape
from lineagegraph.http.marquez.version_shapes import dataset_version_shape
from lineagegraph.model.runs.ids import uuid_of
from lineagegraph.queries.lineage.run_nodes import DescribedRuns
from lineagegraph.queries.lineage.upstream_runs import UpstreamRun
from lineagegraph.store.datasets.dataset_versions import DatasetVersionRow


def run_lineage_shape(found: DescribedRuns) -> dict[str, Any]:
    """Return runs and versions by node id, in the shape that lineage of jobs has."""
    ids = {run.row.id: f"run:{run.row.id}" for run in found.runs}
    ids |= {version.row.key: _version_id(version.row) for version in found.versions}
    data = {ids[run.row.id]: ("RUN", run_shape(run)) for run in found.runs}
    data |= {
        ids[version.row.key]: ("DATASET_VERSION", dataset_version_shape(version))
        for version in found.versions
    }
    return {"graph": nodes_shape(data, ids, found.edges), "truncated": found.cut}


def upstream_shape(found: list[UpstreamRun]) -> dict[str, Any]:
    """Return runs with what each read, and which run wrote that."""
    return {"runs": [_upstream_run(one) for one in found]}


def _version_id(row: DatasetVersionRow) -> str:
    return f"dataset:{row.namespace}:{row.name}#{uuid_of(row.key)}"


def _upstream_run(one: UpstreamRun) -> dict[str, Any]:
    run = run_shape(one.run)
    version = run["jobVersion"]["version"] if run["jobVersion"] else None
    return {
        "job": run["job"] | {"version": version},
        "run": {
            "id": run["id"],
            "start": run["startedAt"],
            "end": run["endedAt"],
            "status": run["state"],
        },
        "inputs": [
            {
                "namespace": use.namespace,
                "name": use.name,
                "version": uuid_of(use.version),
                "producedByRunId": use.writer,
            }
            for use in one.reads
        ],
    }
