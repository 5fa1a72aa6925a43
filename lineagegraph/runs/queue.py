"""Queue a run for a daemon, as `run`, `rerun` and `trigger fire` do."""

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import msgspec

from lineagegraph.errors import InvalidParameter, NotFound, RunRefused
from lineagegraph.graph import Graph, Transaction
from lineagegraph.liveness.daemons import has_daemon, nudge_daemons
from lineagegraph.model.names.keys import canonical_json
from lineagegraph.model.names.nearest import did_you_mean
from lineagegraph.model.pipelines.definition import Pipeline
from lineagegraph.model.pipelines.definition_diff import task_paths
from lineagegraph.model.pipelines.parameters import resolve_params
from lineagegraph.model.runs.ids import derived_id, new_id
from lineagegraph.model.runs.rerun import RerunRequest
from lineagegraph.model.triggers.trigger import Trigger
from lineagegraph.model.triggers.trigger_json import read_stored
from lineagegraph.model.typed import decode_json
from lineagegraph.process_environment.task_processes import own_run
from lineagegraph.reading.refresh import check_is_active
from lineagegraph.reruns.requests import KeyedRequest, is_known, request_hash
from lineagegraph.reruns.start import Rerun, start_rerun
from lineagegraph.settings import Settings
from lineagegraph.store.admin.audit import audit
from lineagegraph.store.pipelines import versions
from lineagegraph.store.runs import launches
from lineagegraph.store.runs.launches import LastRow, Options
from lineagegraph.store.runs.reruns import VersionRow
from lineagegraph.store.triggers.catalog import WholeTriggerRow
from lineagegraph.triggers.by_hand import note_by_hand

NO_OPTIONS = Options()


class QueuedRun(NamedTuple):
    """A queued run, the number of occurrences that it consumed, and whether a daemon is running.

    `is_new` is False if an earlier request with the same idempotency key queued it.
    """

    run_id: str
    consumed: int
    has_daemon: bool
    is_new: bool = True


class QueueRequest(msgspec.Struct, frozen=True, kw_only=True):
    """A request to run a pipeline.

    The run counts as a firing of `triggers`; with `consume` it takes their pending occurrences, and
    parameters that are not given from these.
    """

    job_key: str  # key of the pipeline's job
    fqn: str  # full name of the job, for messages
    params: Mapping[str, Any] = {}  # values of parameters, by name
    properties: Mapping[str, Any] = {}  # values of a trigger, for parameters that are not given
    only: Sequence[str] = ()  # paths of the tasks to run; empty for all
    triggers: Sequence[str] = ()  # ids of triggers
    consume: bool = False  # whether to consume the occurrences of these triggers
    options: Options = NO_OPTIONS  # options of a batch
    version: VersionRow | None = None  # stored version to run; None for the current one
    named_version: str | None = None  # that version as the request names it
    key: str | None = None  # idempotency key; None to start a run in any case
    is_restart: bool = False  # whether it repeats the last run, whichever that is when it is asked

    @property
    def values(self) -> dict[str, Any]:
        """The values of parameters: given ones come before those of a trigger."""
        return {**self.properties, **self.params}


def request_firing(
    found: WholeTriggerRow, params: Mapping[str, Any], *, consume: bool, key: str | None = None
) -> QueueRequest:
    """Return the request to start a trigger's job now; given values come before its properties."""
    return QueueRequest(
        job_key=found.job_key or "",
        fqn=found.starts or "",
        params=params,
        properties=_properties(read_stored(found.rule), consume=consume) if found.rule else {},
        triggers=[found.id],
        consume=consume,
        key=key and f"fire {found.id} {key}",
    )


def _properties(rule: Trigger, *, consume: bool) -> dict[str, Any]:
    """Return the properties of a rule, without those that consumed payloads come before."""
    mapped = {one.parameter for one in rule.arguments} if consume else frozenset()
    return {name: value for name, value in rule.properties.items() if name not in mapped}


def queue_run(graph: Graph, request: QueueRequest) -> QueuedRun:
    """Queue a run of a pipeline; a request with the key of an earlier one returns that run.

    Raises `PipelineWithdrawn` if no file defines it any more, unless a stored version is asked for,
    `RunRefused` if the request has options but the pipeline is not a batch, or names an unknown
    task, and `KeyReused` if the earlier request was another.
    """
    # Before it is checked: what was right then may be wrong for the version of now.
    if known := find_queued(graph, request):
        return known
    asked = _keyed(request)
    run_id = asked.run_id if asked else new_id()
    params = _check(graph, request)

    def write(tx: Transaction) -> int | None:
        if asked and is_known(tx, asked):
            return None
        launches.merge_queued(
            tx,
            run_id=run_id,
            job_key=request.job_key,
            params=canonical_json(params),
            only=list(request.only),
            asked_by=own_run(),
            now=None,
        )
        if asked:
            launches.set_request(tx, id=run_id, request=asked.hash)
        if request.version:
            launches.set_wanted(tx, id=run_id, version=request.version.hash)
        if request.options != NO_OPTIONS:
            launches.set_options(tx, id=run_id, **msgspec.structs.asdict(request.options))
        audit(tx, "run.start", run_id, after=_started(request))
        return note_by_hand(tx, run_id, request.triggers, consume=request.consume)

    consumed = graph.write(write)
    nudge_daemons(graph)
    return QueuedRun(run_id, consumed or 0, has_daemon(graph), consumed is not None)


def find_queued(graph: Graph, request: QueueRequest) -> QueuedRun | None:
    """Return the run that an earlier request with the key of this one queued; None without one.

    Raises `KeyReused` if the earlier request was another.
    """
    asked = _keyed(request)
    if asked is None or not graph.write(is_known, asked):
        return None
    return QueuedRun(asked.run_id, 0, has_daemon(graph), is_new=False)


def last_request(graph: Graph, job_key: str, fqn: str) -> tuple[QueueRequest, LastRow]:
    """Return the request that repeats the last run of a batch, and that run; raise `RunRefused`."""
    last = graph.read(launches.get_last, job_key=job_key)
    if last is None:
        raise RunRefused(f"batch {fqn} has never run: start it with `lineagegraph batch run FILE`")
    given = json.loads(last.params) if last.params else {}
    # Not `force`: a restart runs no fresh task.
    options = Options(ignore_upstream=last.ignore_upstream, with_upstream=last.with_upstream)
    asked = QueueRequest(job_key=job_key, fqn=fqn, params=given, only=last.only, options=options)
    return asked, last


def queue_rerun(
    graph: Graph, settings: Settings, request: RerunRequest, key: str | None = None
) -> Rerun:
    """Queue a new run that repeats another, as `start_rerun` does; raises its errors."""
    started = start_rerun(graph, settings, request, key)
    nudge_daemons(graph)
    return started


def _check(graph: Graph, request: QueueRequest) -> dict[str, Any]:
    """Return the values of the given parameters, checked."""
    if request.version is None:
        graph.read(check_is_active, request.job_key)
    pipeline = _pipeline(graph, request)
    if request.options != NO_OPTIONS and not pipeline.batch:
        raise RunRefused(
            f"{pipeline.name} is not a batch: it has no freshness terms to force or ignore"
        )
    check_paths(pipeline, request.only)
    given = request.values
    params = resolve_params(_without_required(pipeline) if request.consume else pipeline, given)
    return {name: params[name] for name in given}


def _pipeline(graph: Graph, request: QueueRequest) -> Pipeline:
    if request.version:
        return request.version.pipeline()
    return pipeline_of(graph, request.job_key, request.fqn)


def pipeline_of(graph: Graph, job_key: str, fqn: str) -> Pipeline:
    """Return the definition of the pipeline of a key; raise `NotFound`."""
    text = graph.read(versions.get_definition, job_key=job_key)
    if text is None:
        raise NotFound(
            f"{fqn} is not a registered pipeline: read its file with `lineagegraph sync PATH`"
        )
    return decode_json(text, into=Pipeline)


def _keyed(request: QueueRequest) -> KeyedRequest | None:
    if request.key is None:
        return None
    run_id = derived_id(request.job_key, "start", request.key)
    parts: tuple[Any, ...] = ()
    if not request.is_restart:
        # The version as it is named: a repeated request may name one that is gone.
        version = request.named_version
        parts = request.params, request.only, request.consume, request.options, version
    return KeyedRequest(request.key, run_id, request.job_key, request.fqn, request_hash(parts))


def _hash(request: QueueRequest) -> str | None:
    return request.version.hash if request.version else None


def _started(request: QueueRequest) -> dict[str, Any]:
    """Return the request as the audit log shows it."""
    started = {"params": request.values, "only": request.only, "options": request.options}
    version = _hash(request)
    return started | ({"version": version} if version else {})


def check_paths(pipeline: Pipeline, only: Sequence[str]) -> None:
    """Raise `RunRefused` for a path without a task in the pipeline."""
    known = task_paths(pipeline)
    for path in only:
        if path not in known:
            raise RunRefused(f"{pipeline.name} has no task {path!r}{did_you_mean(path, known)}")


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
