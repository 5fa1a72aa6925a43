"""What earlier launches of a run have left of it: tasks that ended, and tasks that wait."""

import json
from typing import NamedTuple

from lineagegraph.execution.outcome import Outcome
from lineagegraph.graph import Graph
from lineagegraph.model.definition import Pipeline
from lineagegraph.model.names import name_job
from lineagegraph.model.places import name_task
from lineagegraph.model.states import RunState
from lineagegraph.store import launches


class Left(NamedTuple):
    """How tasks ended, and the runs of those that wait, by path."""

    known: dict[str, Outcome]
    waiting: dict[str, str]


def read_left(graph: Graph, run_id: str, pipeline: Pipeline) -> Left:
    """Return what is left of a run of a batch; only tasks with terms of freshness count."""
    left = Left({}, {})
    if not pipeline.batch:
        return left
    top = name_job(pipeline.namespace, pipeline.name)
    gated = (task for task in pipeline.tasks if task.freshness is not None)
    paths = {name_task(task, top, pipeline).key: task.name for task in gated}
    for row in graph.read(launches.list_launched, id=run_id):
        if (path := paths.get(row.job_key)) is None:
            continue
        if row.state is RunState.WAITING:
            left.waiting[path] = row.id
        else:
            emitted = json.loads(row.emitted) if row.emitted else {}
            left.known[path] = Outcome(row.state, row.reason, emitted=emitted)
    return left
