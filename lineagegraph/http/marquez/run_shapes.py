"""Runs as Marquez writes them."""

from datetime import UTC, datetime
from typing import Any

import msgspec

from lineagegraph.http.marquez.facet_text import plain_texts
from lineagegraph.model.runs.ids import uuid_of
from lineagegraph.model.runs.states import RunState
from lineagegraph.queries.runs.run_details import RunDetail, duration_ms
from lineagegraph.store.jobs.details import RunUseRow

# Marquez's clients take no null for the times of what exists.
UNKNOWN_TIME = datetime(1970, 1, 1, tzinfo=UTC)
_STATES: dict[str, str] = {
    RunState.PENDING: "NEW",
    RunState.WAITING: "NEW",
    RunState.RUNNING: "RUNNING",
    RunState.COMPLETED: "COMPLETED",
    RunState.FRESH_SKIP: "COMPLETED",
    RunState.FAILED: "FAILED",
}


def run_shape(run: RunDetail) -> dict[str, Any]:
    """Return a run; `parentRunId`, `job`, `partition` and `cost` are not Marquez's."""
    row = run.row
    created = row.created_at or row.state_at or UNKNOWN_TIME
    return {
        "id": row.id,
        "createdAt": created,
        "updatedAt": row.state_at or created,
        "nominalStartTime": row.nominal_start,
        "nominalEndTime": row.nominal_end,
        "state": run_state(row.state),
        "startedAt": row.started_at,
        "endedAt": row.ended_at,
        "durationMs": duration_ms(row),
        "args": plain_texts(row.params),
        "job": {"namespace": run.namespace, "name": row.name},
        "jobVersion": _version(run),
        "inputDatasetVersions": [_use(use, "inputStatistics") for use in run.reads],
        "outputDatasetVersions": [_use(use, "outputStatistics") for use in run.writes],
        "facets": run.facets,
        "parentRunId": row.parent.id if row.parent else None,
        "partition": msgspec.Raw(row.partition.encode()) if row.partition else None,
        "cost": msgspec.Raw(row.cost.encode()) if row.cost else None,
    }


def run_state(state: str) -> str:
    """Return the state that Marquez has for one of ours."""
    return _STATES.get(state, "ABORTED")


def own_states(state: str) -> list[str]:
    """Return the states of ours that Marquez has one for."""
    return [own.value for own in RunState if run_state(own) == state]


def _version(run: RunDetail) -> dict[str, Any] | None:
    version = uuid_of(run.row.version)
    named = {"namespace": run.namespace, "name": run.row.name}
    return named | {"version": version} if version else None


def _use(use: RunUseRow, facet: str) -> dict[str, Any]:
    counts = {"rowCount": use.row_count, "size": use.size, "fileCount": use.file_count}
    counts = {name: count for name, count in counts.items() if count is not None}
    version = {"namespace": use.namespace, "name": use.name, "version": uuid_of(use.version)}
    return {"datasetVersionId": version, "facets": {facet: counts} if counts else {}}
