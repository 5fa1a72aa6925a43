"""The plan of a rerun: its code and tasks, and its differences from the original."""

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from lineagegraph.errors import InvalidParameter, RerunRefused
from lineagegraph.graph import Graph, Transaction
from lineagegraph.model.names.keys import canonical_json
from lineagegraph.model.names.named_values import values_of
from lineagegraph.model.pipelines.definition import Pipeline
from lineagegraph.model.pipelines.environment import EnvironmentChange
from lineagegraph.model.pipelines.parameters import partition_of, resolve_params
from lineagegraph.model.runs.rerun import Allow, Difference, PolicyKind, RerunPolicy, RerunRequest
from lineagegraph.reruns import differences
from lineagegraph.reruns.environment import read_surroundings
from lineagegraph.reruns.inputs import ComparedInputs, compare_inputs
from lineagegraph.reruns.missing import missing_code, missing_inputs, missing_surroundings
from lineagegraph.reruns.original import read_original
from lineagegraph.reruns.policy import find_version, resolve_policy, today
from lineagegraph.reruns.tasks import as_grown, choose_tasks
from lineagegraph.settings import Settings
from lineagegraph.store.runs.environments import EnvironmentRow
from lineagegraph.store.runs.reruns import Original, VersionRow


class RerunTerms(msgspec.Struct, frozen=True):
    """The code and tasks that bind a rerun; None for those taken at its start."""

    version: str | None = None
    source: str | None = None
    task_code: str | None = None
    variables: str | None = None
    environment: str | None = None
    isolated: bool = False


class Repeats(msgspec.Struct, frozen=True):
    """The relation of a rerun to its original: `tasks` are those that run, empty for all."""

    run: str
    policy: str
    tasks: tuple[str, ...]
    held: RerunTerms


class Plan(msgspec.Struct, frozen=True):
    """The plan of a rerun; it would be refused if `missing` is not empty.

    `tasks` are the paths of those that run, empty for all.
    """

    run: str  # id of the run to repeat
    job_key: str  # key of its job
    namespace: str  # namespace of its job
    job: str  # full name of its job
    policy: str  # as_was, latest or pinned: with a hash
    version: str | None  # hash of the version that it runs; None if unknown
    tasks: tuple[str, ...]  # paths of the tasks that run; empty for all
    params: dict[str, Any]  # values of its parameters, by name
    partition: str | None  # JSON text of the partition; None without one
    differences: tuple[Difference, ...]  # differences from the original
    missing: tuple[str, ...]  # reasons to refuse it, in words; empty if there are none
    held: RerunTerms  # code and packages that bind it

    @property
    def repeats(self) -> Repeats:
        """The relation that is stored with the new run."""
        return Repeats(self.run, self.policy, self.tasks, self.held)


class _Found(msgspec.Struct, frozen=True):
    """The original run and its counterparts of now."""

    original: Original  # the run to repeat
    policy: RerunPolicy  # code that the rerun takes
    version: VersionRow | None  # version that it runs; None if it is no longer in the graph
    lock: EnvironmentRow | None  # environment of the original; None if it was not recorded
    # packages that differ between that environment and this process
    packages: list[EnvironmentChange]
    inputs: ComparedInputs  # inputs that changed since they were read
    variables: tuple[Difference, ...]  # variables with other values than the original read
    tasks: tuple[str, ...]  # paths of the tasks that run; empty for all
    params: dict[str, Any]  # values of its parameters, by name
    grown: Pipeline | None  # pipeline of the version, with the tasks that the original added


def plan_rerun(graph: Graph, settings: Settings, request: RerunRequest) -> Plan:
    """Return the plan of a rerun; nothing is stored.

    Raises `RerunAsks` if a person must choose the policy, `RerunRefused` for a request that
    does not fit the run, and `InvalidParameter` for a wrong parameter.
    """
    found = graph.read(_find, settings, request)
    return Plan(
        run=found.original.id,
        job_key=found.original.job_key or "",
        namespace=found.original.namespace or "",
        job=found.original.job or "",
        policy=str(found.policy),
        version=found.version.hash if found.version else found.original.version,
        tasks=found.tasks,
        params=found.params,
        partition=_partition(found.original, found.version, found.params),
        differences=tuple(_differences(request, found)),
        missing=(
            *missing_code(
                graph,
                settings,
                found.policy,
                found.original,
                found.version,
                found.tasks,
                found.grown,
            ),
            *missing_surroundings(request, found.policy, found.lock, found.packages),
            *missing_inputs(request, found.policy, found.inputs.changed),
        ),
        held=_held(request, found),
    )


def choices(graph: Graph, settings: Settings, request: RerunRequest) -> list[Plan]:
    """Return the plans of a rerun as it was, and with the code of today, if there is any."""
    plans = []
    for kind in (PolicyKind.AS_WAS, PolicyKind.LATEST):
        asked = msgspec.structs.replace(request, policy=str(kind))
        try:
            plans.append(plan_rerun(graph, settings, asked))
        except (RerunRefused, InvalidParameter):
            if kind is PolicyKind.LATEST and not plans:
                raise
    return plans


def _find(tx: Transaction, settings: Settings, request: RerunRequest) -> _Found:
    original = read_original(tx, request.run)
    policy = resolve_policy(request.policy, today(tx, original), settings.rerun_policy)
    version = find_version(tx, original, policy)
    pipeline = version.pipeline() if version else None
    tasks = choose_tasks(tx, request, original, pipeline) if pipeline else ()
    lock, packages = read_surroundings(tx, original.id)
    return _Found(
        original=original,
        policy=policy,
        version=version,
        lock=lock,
        packages=packages,
        inputs=compare_inputs(tx, original),
        variables=tuple(differences.of_variables(tx, original)),
        tasks=tasks,
        params=_params(original, pipeline, request.params),
        # All tasks together add theirs anew.
        grown=as_grown(tx, original, pipeline)[0] if pipeline and tasks else None,
    )


def _params(
    original: Original, pipeline: Pipeline | None, given: Mapping[str, Any]
) -> dict[str, Any]:
    """Return the values of the original with given replacements, without removed parameters."""
    before = values_of(original.params)
    if pipeline is None:
        return before | dict(given)
    known = {parameter.name for parameter in pipeline.parameters}
    kept = {name: value for name, value in before.items() if name in known}
    return resolve_params(pipeline, kept | dict(given))


def _partition(
    original: Original, version: VersionRow | None, params: Mapping[str, Any]
) -> str | None:
    stated = partition_of(version.pipeline(), params) if version else None
    return canonical_json(stated) if stated else original.partition


def _differences(request: RerunRequest, found: _Found) -> Iterable[Difference]:
    as_was = found.policy.kind is PolicyKind.AS_WAS
    if found.version:
        yield from differences.of_version(found.original, found.version)
    yield from differences.of_params(values_of(found.original.params), found.params)
    if not as_was:
        yield from found.variables
    if not request.isolated:
        yield from differences.of_packages(found.packages)
    yield from differences.of_inputs(found.inputs)


def _held(request: RerunRequest, found: _Found) -> RerunTerms:
    kind, original = found.policy.kind, found.original
    lock = found.lock.sha256 if found.lock else None
    if kind is not PolicyKind.AS_WAS:
        return RerunTerms(
            version=found.version.hash if kind is PolicyKind.PINNED and found.version else None,
            environment=lock if request.isolated else None,
            isolated=request.isolated,
        )
    return RerunTerms(
        version=original.version,
        source=original.source_sha256,
        task_code=original.task_code,
        variables=original.variables and canonical_json(values_of(original.variables)),
        environment=None if Allow.PACKAGES in request.allow and not request.isolated else lock,
        isolated=request.isolated,
    )
