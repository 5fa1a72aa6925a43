"""What is different between two runs."""

from functools import partial
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from lineagegraph.explore.run_diff import ComparedRun, ParameterDiff, RunDiff, diff_runs_whole
from lineagegraph.explore.use_diff import ColumnDiff, Used, UseDiff
from lineagegraph.http.marquez.run_shapes import run_state
from lineagegraph.http.marquez.version_diff_route import version_diff_shape
from lineagegraph.http.plumbing.parameters import path_uuid, run_id
from lineagegraph.http.plumbing.raw_route import RawRoute
from lineagegraph.http.plumbing.reads import Reads, answer
from lineagegraph.model.ids import uuid_of
from lineagegraph.settings import Settings


def diff_route(reads: Reads, settings: Settings) -> RawRoute:
    """Return the route that compares two runs."""
    path = "/api/v1/jobs/runs/{id}/diff/{other}"
    return RawRoute(path, partial(_diff, reads, settings), methods=["GET"])


def _diff(reads: Reads, settings: Settings, request: Request) -> Response:
    before, after = run_id(request), str(path_uuid(request, "other"))
    return answer(diff_shape(diff_runs_whole(reads.graph, settings, before, after)))


def diff_shape(found: RunDiff) -> dict[str, Any]:
    """Return what is different between two runs."""
    return {
        "before": _run(found.before),
        "after": _run(found.after),
        "changed": [{"version": "jobVersion"}.get(name, name) for name in found.changed],
        "durationChangeMs": found.duration_change_ms,
        "args": [_parameter(one) for one in found.parameters],
        "inputs": [_use(use) for use in found.inputs],
        "outputs": [_use(use) for use in found.outputs],
        "definition": version_diff_shape(found.versions) if found.versions else None,
    }


def _run(run: ComparedRun) -> dict[str, Any]:
    return {
        "id": run.id,
        "job": {"namespace": run.namespace, "name": run.name},
        "state": run_state(run.state),
        "startedAt": run.started_at,
        "endedAt": run.ended_at,
        "durationMs": run.duration_ms,
        "jobVersion": uuid_of(run.version),
    }


def _parameter(one: ParameterDiff) -> dict[str, Any]:
    return {"name": one.name, "before": one.before, "after": one.after}


def _use(use: UseDiff) -> dict[str, Any]:
    return {
        "namespace": use.namespace,
        "name": use.name,
        "change": use.change,
        "before": _used(use.before),
        "after": _used(use.after),
        "columns": [_column(column) for column in use.columns],
    }


def _used(used: Used | None) -> dict[str, Any] | None:
    if used is None:
        return None
    return {
        "versions": [uuid_of(version) for version in used.versions],
        "rowCount": used.row_count,
        "size": used.size,
        "fileCount": used.file_count,
    }


def _column(column: ColumnDiff) -> dict[str, Any]:
    return {
        "name": column.name,
        "change": column.change,
        "before": column.before,
        "after": column.after,
    }
