"""What was, as HTTP answers it."""

from typing import Any

from lineagegraph.http.marquez.run_shapes import run_state
from lineagegraph.model.runs.ids import uuid_of
from lineagegraph.queries.versions.as_was import AsWas
from lineagegraph.queries.versions.data_as_was import DataAsWas
from lineagegraph.queries.versions.tasks_as_was import NOT_RUN, TaskAsWas
from lineagegraph.store.runs.as_was import ThenRun, ThenVersion


def as_was_shape(found: AsWas) -> dict[str, Any]:
    """Return a run, or a pipeline at a time, as it was."""
    place = found.environment
    return {
        "job": {"namespace": found.namespace, "name": found.job},
        "run": _run(found.run) if found.run else None,
        "at": found.at,
        "since": found.since,
        "until": found.until,
        "latestRun": found.run_then,
        "version": _version(found.version) if found.version else None,
        "description": found.description,
        "startDate": found.start_date,
        "endDate": found.end_date,
        "args": found.params,
        "variables": found.variables,
        "emitted": found.emitted,
        "cost": found.cost,
        "spark": found.spark,
        "environment": place,
        "tasks": [_task(task) for task in found.tasks],
        "inputs": [_data(use) for use in found.inputs],
        "outputs": [_data(use) for use in found.outputs],
        "missing": found.missing,
    }


def _run(run: ThenRun) -> dict[str, Any]:
    return {
        "id": run.id,
        "state": run_state(run.state),
        "createdAt": run.created_at,
        "startedAt": run.started_at,
        "endedAt": run.ended_at,
        "nominalStartTime": run.nominal_start,
        "nominalEndTime": run.nominal_end,
        "launches": run.launches,
        "reason": run.reason,
        "error": run.error,
        "parentRunId": run.parent,
        "rerunOf": run.rerun_of,
        "rerunPolicy": run.rerun_policy,
        "only": run.only,
    }


def _version(version: ThenVersion) -> dict[str, Any]:
    hashes = dict(zip(version.files, version.file_hashes, strict=False))
    return {
        "version": uuid_of(version.hash),
        "hash": version.hash,
        "structureHash": version.structure_hash,
        "codeHash": version.code_hash,
        "createdAt": version.created_at,
        "file": version.file,
        "files": [{"path": path, "sha256": hashes.get(path)} for path in version.files],
        "archived": version.is_kept,
        "git": _git(version) if version.git_commit else None,
    }


def _git(version: ThenVersion) -> dict[str, Any]:
    return {
        "commit": version.git_commit,
        "branch": version.git_branch,
        "dirty": version.git_dirty,
        "remote": version.git_remote,
    }


def _task(task: TaskAsWas) -> dict[str, Any]:
    return {
        "path": task.path,
        "name": task.name,
        "type": task.runs,
        "parent": task.parent,
        "after": task.after,
        "state": NOT_RUN if task.state == NOT_RUN else run_state(task.state),
        "runId": task.run,
        "attempts": task.attempts,
        "startedAt": task.started_at,
        "endedAt": task.ended_at,
        "reason": task.reason,
        "error": task.error,
        "addedByRun": task.is_added,
        "removedSince": task.is_removed,
        "values": task.values,
        "settings": task.settings,
        "inputs": [_data(use) for use in task.reads],
        "outputs": [_data(use) for use in task.writes],
    }


def _data(use: DataAsWas) -> dict[str, Any]:
    return {
        "namespace": use.namespace,
        "name": use.name,
        "version": uuid_of(use.version),
        "writtenBy": use.writer,
        "rowCount": use.row_count,
        "size": use.size,
    }
