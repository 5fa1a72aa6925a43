"""Which tasks of a run are run again."""

from collections.abc import Collection, Iterable

from lineagegraph.errors import RerunRefused
from lineagegraph.graph import Transaction
from lineagegraph.model.pipelines.definition import Pipeline
from lineagegraph.model.pipelines.definition_diff import task_paths
from lineagegraph.model.pipelines.expansion import Expansion, expanded
from lineagegraph.model.pipelines.hierarchy import is_in_any, with_followers
from lineagegraph.model.runs.rerun import RerunRequest
from lineagegraph.reruns.original import incomplete, read_added
from lineagegraph.store.runs.reruns import Original


def choose_tasks(
    tx: Transaction, request: RerunRequest, original: Original, stated: Pipeline
) -> tuple[str, ...]:
    """Return the paths of the tasks to run; none means all of them."""
    ways = [bool(request.tasks), request.from_task is not None, request.from_failed]
    if sum(ways) > 1:
        raise RerunRefused("give only one of: tasks, a first task, or the failed tasks")
    if not any((*ways, original.only)):
        return ()
    pipeline, added = as_grown(tx, original, stated)
    wanted = _wanted(tx, request, original, pipeline)
    _refuse_unknown(pipeline, wanted)
    return tuple(path for path in wanted if not _is_made_anew(path, wanted, added))


def as_grown(
    tx: Transaction, original: Original, pipeline: Pipeline
) -> tuple[Pipeline, list[Expansion]]:
    """Return a pipeline with those expansions of a run whose task it has, and these.

    The task may be one of an expansion.
    """
    added = []
    for expansion in read_added(tx, original):
        if ".".join(expansion.behind) in task_paths(pipeline):
            pipeline = expanded(pipeline, [expansion])
            added.append(expansion)
    return pipeline, added


def _wanted(
    tx: Transaction, request: RerunRequest, original: Original, pipeline: Pipeline
) -> tuple[str, ...]:
    if request.from_failed:
        failed = incomplete(tx, original, pipeline)
        if not failed:
            raise RerunRefused(f"no task of run {original.id} failed")
        return with_followers(pipeline, failed)
    if request.from_task is not None:
        _refuse_unknown(pipeline, [request.from_task])
        return with_followers(pipeline, [request.from_task])
    return request.tasks or original.only


def _is_made_anew(path: str, wanted: Collection[str], added: Iterable[Expansion]) -> bool:
    """Return whether a path belongs to tasks that a repeated task will add itself."""
    return any(
        is_in_any(path, [one.path]) and is_in_any(".".join(one.behind), wanted) for one in added
    )


def _refuse_unknown(pipeline: Pipeline, wanted: Iterable[str]) -> None:
    known = task_paths(pipeline)
    for path in wanted:
        if path not in known:
            raise RerunRefused(
                f"{pipeline.name} has no task {path!r} in that version; it has {', '.join(known)}"
            )
