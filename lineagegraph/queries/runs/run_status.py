"""The state of a pipeline's run, and of each of its tasks."""

import msgspec

from lineagegraph.errors import NotFound
from lineagegraph.graph import Graph, Transaction
from lineagegraph.model.pipelines.definition import Pipeline
from lineagegraph.model.pipelines.expansion import expanded
from lineagegraph.model.pipelines.hierarchy import leaves
from lineagegraph.model.runs.ids import derived_id
from lineagegraph.model.runs.note import RunNote
from lineagegraph.model.typed import decode_json
from lineagegraph.store.pipelines.versions import get_definition
from lineagegraph.store.runs.expansions import read_expansions
from lineagegraph.store.runs.history import TaskRunRow, WholeRunRow, get_run, list_task_runs
from lineagegraph.store.runs.notes import list_notes
from lineagegraph.store.runs.reruns import Original, get_original


class TaskStatus(msgspec.Struct, frozen=True):
    """A task of a run by its path, and its newest run; None before it began."""

    path: str
    run: TaskRunRow | None


class RunStatus(msgspec.Struct, frozen=True):
    """A run with its tasks, in the order of the definition; `version` is what it runs."""

    run: WholeRunRow
    version: str | None
    notes: tuple[RunNote, ...]
    tasks: tuple[TaskStatus, ...]


def read_run_status(graph: Graph, run_id: str) -> RunStatus:
    """Return a run with its tasks; a run of another producer has none."""
    return graph.read(_read, run_id)


def _read(tx: Transaction, run_id: str) -> RunStatus:
    run, original = get_run(tx, id=run_id), get_original(tx, id=run_id)
    if run is None or original is None:
        raise NotFound(f"no run {run_id!r}")
    pipeline = None if original.parent else _pipeline(tx, original)
    notes = tuple(list_notes(tx, run_id=run_id))
    tasks = _tasks(tx, original, pipeline) if pipeline else ()
    return RunStatus(run, original.version, notes, tasks)


def _pipeline(tx: Transaction, original: Original) -> Pipeline | None:
    """Return the pipeline with the tasks that were added while it ran."""
    text = original.definition
    if text is None and original.job_key and original.is_open:
        text = get_definition(tx, job_key=original.job_key)
    if text is None:
        return None
    return expanded(decode_json(text, into=Pipeline), read_expansions(tx, original.id))


def _tasks(tx: Transaction, original: Original, pipeline: Pipeline) -> tuple[TaskStatus, ...]:
    launches = range(1, original.launches + 1)
    ids = {
        path: [derived_id(original.id, path, str(n)) for n in launches] for path in leaves(pipeline)
    }
    rows = {
        row.id: row
        for row in list_task_runs(tx, ids=[id_ for each in ids.values() for id_ in each])
    }
    return tuple(
        TaskStatus(path, next((rows[id_] for id_ in reversed(each) if id_ in rows), None))
        for path, each in ids.items()
    )
