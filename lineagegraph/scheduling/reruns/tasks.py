"""Which tasks of a run are run again."""

from collections.abc import Iterable

from lineagegraph.errors import RerunRefused
from lineagegraph.graph import Transaction
from lineagegraph.model.definition import Pipeline
from lineagegraph.model.definition_diff import task_paths
from lineagegraph.model.follow import leaves, with_followers
from lineagegraph.model.rerun import RerunRequest
from lineagegraph.scheduling.reruns.outcomes import incomplete
from lineagegraph.store.reruns import Original


def choose_tasks(
    tx: Transaction, request: RerunRequest, original: Original, pipeline: Pipeline
) -> tuple[str, ...]:
    """Return the paths of the tasks to run; none means all of them."""
    ways = [bool(request.tasks), request.from_task is not None, request.from_failed]
    if sum(ways) > 1:
        raise RerunRefused("some tasks, from a task and from what failed: choose one of the three")
    if request.from_failed:
        failed = incomplete(tx, original, leaves(pipeline))
        if not failed:
            raise RerunRefused(f"run {original.id} completed all its tasks: nothing failed in it")
        return with_followers(pipeline, failed)
    if request.from_task is not None:
        _refuse_unknown(pipeline, [request.from_task])
        return with_followers(pipeline, [request.from_task])
    wanted = request.tasks or original.only
    _refuse_unknown(pipeline, wanted)
    return wanted


def _refuse_unknown(pipeline: Pipeline, wanted: Iterable[str]) -> None:
    known = task_paths(pipeline)
    for path in wanted:
        if path not in known:
            raise RerunRefused(
                f"{pipeline.name} has no task {path!r} in that version; it has {', '.join(known)}"
            )
