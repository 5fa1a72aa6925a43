"""What earlier launches of a run have left of it: tasks that ended, and tasks that wait."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field

from lineagegraph.execution.outcome import Outcome
from lineagegraph.graph import Graph
from lineagegraph.model.pipelines.definition import Pipeline
from lineagegraph.model.pipelines.definition_diff import task_paths
from lineagegraph.model.pipelines.expansion import Expansion, expanded
from lineagegraph.model.runs.ids import derived_id
from lineagegraph.model.runs.states import RunState
from lineagegraph.store.runs import launches
from lineagegraph.store.runs.expansions import read_expansions
from lineagegraph.store.runs.launches import Launch


@dataclass(frozen=True, slots=True)
class Left:
    """How tasks ended, the runs of those that wait, and those of groups around these, by path.

    `expansions` are what tasks had put behind themselves.
    """

    known: dict[str, Outcome] = field(default_factory=dict)
    waiting: dict[str, str] = field(default_factory=dict)
    opened: dict[str, str] = field(default_factory=dict)
    expansions: tuple[Expansion, ...] = ()


def read_left(
    graph: Graph, launch: Launch, pipeline: Pipeline, taken: Sequence[Expansion] = ()
) -> Left:
    """Return what is left of a run, with the expansions that it has `taken` from another run."""
    if launch.launches == 1:
        return Left(expansions=tuple(taken))
    own = graph.read(read_expansions, launch.id)
    expansions = {one.names: one for one in (*taken, *own)}
    left = Left(expansions=tuple(expansions.values()))
    paths = _paths(launch, expanded(pipeline, left.expansions))
    for row in graph.read(launches.list_left, id=launch.id):
        if path := paths.get(row.id):
            _put(left, path, row)
    return left


def _paths(launch: Launch, pipeline: Pipeline) -> dict[str, str]:
    """Return the paths of tasks by the runs that they may have had."""
    numbers = range(1, launch.launches + 1)
    paths = task_paths(pipeline)
    return {derived_id(launch.id, path, str(n)): path for n in numbers for path in paths}


def _put(left: Left, path: str, row: launches.LaunchedTask) -> None:
    match row.state:
        case RunState.WAITING:
            left.waiting[path] = row.id
        case RunState.RUNNING:
            left.opened[path] = row.id
        case _:
            emitted = json.loads(row.emitted) if row.emitted else {}
            left.known[path] = Outcome(row.state, row.reason, emitted=emitted)
