"""Queue a run for a daemon, as `run`, `rerun` and `trigger fire` do."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import msgspec

from lineagegraph.errors import InvalidParameter, RunError
from lineagegraph.graph import Graph, Transaction
from lineagegraph.liveness.daemons import has_daemon, nudge_daemons
from lineagegraph.model.names.nearest import did_you_mean
from lineagegraph.model.pipelines.definition import Pipeline
from lineagegraph.model.pipelines.definition_diff import task_paths
from lineagegraph.model.pipelines.parameters import resolve_params
from lineagegraph.model.runs.ids import new_id
from lineagegraph.model.runs.rerun import RerunRequest
from lineagegraph.model.typed import decode_json
from lineagegraph.reading.refresh import check_is_active
from lineagegraph.reruns.start import Rerun, start_rerun
from lineagegraph.settings import Settings
from lineagegraph.store.admin.audit import audit
from lineagegraph.store.pipelines import versions
from lineagegraph.store.runs import launches
from lineagegraph.store.runs.launches import Options
from lineagegraph.triggers.by_hand import note_by_hand

NO_OPTIONS = Options()


class QueuedRun(NamedTuple):
    """A queued run, the number of occurrences that it consumed, and whether a daemon is running."""

    run_id: str
    consumed: int
    has_daemon: bool


class QueueRequest(msgspec.Struct, frozen=True, kw_only=True):
    """A request to run a pipeline.

    The run counts as a firing of `triggers`; with `consume` it takes their pending occurrences, and
    parameters that are not given from these.
    """

    job_key: str  # key of the pipeline's job
    fqn: str  # full name of the job, for messages
    params: Mapping[str, Any] = {}  # values of parameters, by name
    only: Sequence[str] = ()  # paths of the tasks to run; empty for all
    triggers: Sequence[str] = ()  # ids of triggers
    consume: bool = False  # whether to consume the occurrences of these triggers
    options: Options = NO_OPTIONS  # options of a batch


def queue_run(graph: Graph, request: QueueRequest) -> QueuedRun:
    """Queue a run of a pipeline.

    Raises `RunError` if it has options but the pipeline is not a batch, or names an unknown task.
    """
    graph.read(check_is_active, request.job_key)
    pipeline = _pipeline(graph, request.job_key, request.fqn)
    _check(pipeline, request.only, request.options)
    asked = _without_required(pipeline) if request.consume else pipeline
    params = resolve_params(asked, request.params)
    run_id = new_id()

    def write(tx: Transaction) -> int:
        launches.merge_queued(
            tx,
            run_id=run_id,
            job_key=request.job_key,
            params=msgspec.json.encode({name: params[name] for name in request.params}).decode(),
            only=list(request.only),
            now=None,
        )
        if request.options != NO_OPTIONS:
            launches.set_options(tx, id=run_id, **msgspec.structs.asdict(request.options))
        started = {"params": request.params, "only": request.only, "options": request.options}
        audit(tx, "run.start", run_id, after=started)
        return note_by_hand(tx, run_id, request.triggers, consume=request.consume)

    consumed = graph.write(write)
    nudge_daemons(graph)
    return QueuedRun(run_id, consumed, has_daemon(graph))


def queue_rerun(graph: Graph, settings: Settings, request: RerunRequest) -> Rerun:
    """Queue a new run that repeats another; raises the errors of `start_rerun`."""
    started = start_rerun(graph, settings, request)
    nudge_daemons(graph)
    return started


def _pipeline(graph: Graph, job_key: str, fqn: str) -> Pipeline:
    text = graph.read(versions.get_definition, job_key=job_key)
    if text is None:
        raise RunError(
            f"{fqn} is not a registered pipeline: read its file with `lineagegraph sync PATH`"
        )
    return decode_json(text, into=Pipeline)


def _check(pipeline: Pipeline, only: Sequence[str], options: Options) -> None:
    if options != NO_OPTIONS and not pipeline.batch:
        raise RunError(
            f"{pipeline.name} is not a batch: it has no freshness terms to force or ignore"
        )
    check_paths(pipeline, only)


def check_paths(pipeline: Pipeline, only: Sequence[str]) -> None:
    """Raise `RunError` for a path without a task in the pipeline."""
    known = task_paths(pipeline)
    for path in only:
        if path not in known:
            raise RunError(f"{pipeline.name} has no task {path!r}{did_you_mean(path, known)}")


def _without_required(pipeline: Pipeline) -> Pipeline:
    loose = [msgspec.structs.replace(one, required=False) for one in pipeline.parameters]
    return msgspec.structs.replace(pipeline, parameters=tuple(loose))


def read_values(given: Iterable[str]) -> dict[str, str]:
    """Return parameter values written as `name=value`."""
    return dict(_split(item) for item in given)


def _split(item: str) -> tuple[str, str]:
    name, equals, value = item.partition("=")
    if not equals or not name:
        raise InvalidParameter(f"--param {item}: expected name=value")
    return name, value
