"""Functions that state pipelines: `lg.pipeline`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Unpack

from lineagegraph.authoring.checked_values import checked_name, text_map
from lineagegraph.authoring.declared import Declared, declared
from lineagegraph.authoring.handle import Handle
from lineagegraph.authoring.kinds import NestedPipeline
from lineagegraph.authoring.options import with_options
from lineagegraph.authoring.origin import Origin, caller
from lineagegraph.authoring.pipeline_options import (
    PIPELINE_DEFAULTS,
    PipelineOptions,
    declare,
    stated_end,
    stated_start,
)
from lineagegraph.authoring.resolve_tasks import BatchTerms, InBatch, resolve_tasks
from lineagegraph.authoring.task_options import After, checked_after, checked_when, limit_seconds
from lineagegraph.authoring.tasks import checked_tasks
from lineagegraph.authoring.triggers import stated_triggers
from lineagegraph.errors import DefinitionError, InvalidParameter
from lineagegraph.model.pipelines.definition import Pipeline, PipelineTask, Task
from lineagegraph.model.pipelines.hierarchy import tasks_in
from lineagegraph.model.pipelines.parameters import resolve_params
from lineagegraph.model.pipelines.scheduled import list_unfilled
from lineagegraph.model.pipelines.when import When
from lineagegraph.model.runs.rerun import read_policy
from lineagegraph.model.triggers.trigger import Trigger


@dataclass(frozen=True, eq=False, kw_only=True)
class PipelineHandle(Handle):
    """A stated pipeline; it may be a task of another, and a trigger may wait for it."""

    #: the pipeline as it is stored
    definition: Pipeline
    #: handles of its tasks
    tasks: tuple[Handle, ...]

    @property
    def namespace(self) -> str:
        """The namespace of its job."""
        return self.definition.namespace

    def as_task(
        self,
        *,
        name: str | None = None,
        after: After = None,
        when: str = When.ALL_SUCCESS,
        params: Mapping[str, Any] | None = None,
    ) -> NestedPipeline:
        """Return it as a task of another pipeline, with values for its parameters."""
        origin = caller()
        nested = self._nested(name or self.name, origin, params or {})
        return replace(
            nested, after=checked_after(after, origin), when=checked_when(when, origin.at("when"))
        )

    def work(self, parameters: Sequence[str]) -> PipelineTask:
        """Return the pipeline with its defaults."""
        return self._nested(self.name, self.origin, {}).work(parameters)

    def _nested(self, name: str, origin: Origin, params: Mapping[str, Any]) -> NestedPipeline:
        try:
            values = resolve_params(self.definition, params)
        except InvalidParameter as error:
            raise InvalidParameter(f"{origin}: {error}") from error
        return NestedPipeline(
            name=checked_name(name, "task", origin),
            origin=origin,
            of=self,
            definition=self.definition,
            params=values,
        )


def pipelines_of(collected: Declared) -> list[PipelineHandle]:
    """Return the pipelines among the handles that were declared."""
    return [handle for handle in collected.pipelines if isinstance(handle, PipelineHandle)]


@with_options(PipelineOptions, PIPELINE_DEFAULTS)
def pipeline(
    name: str, *, tasks: Iterable[Handle], **options: Unpack[PipelineOptions]
) -> PipelineHandle:
    """State a pipeline: its tasks, parameters, Spark configuration and triggers.

    `params` maps names to defaults, to types (then a run must give them) or to `lg.param(…)`;
    `partition_by` names those that identify the part of the data that a run covers, such as a
    region. `trigger` is a condition, the result of `lg.trigger(…)`, or several of either. Schedules
    start it from `start_date` to `end_date` only: days or times, by default in the installation's
    zone. A run that takes more than `timeout` is stopped and FAILED. `rerun` is which code reruns
    take: `as_was`, `latest`, `ask` or `pinned:VERSION`.
    """
    return state_pipeline(caller(), name, tasks, options)


def state_pipeline(
    origin: Origin,
    name: str,
    tasks: Iterable[Handle],
    options: PipelineOptions,
    *,
    triggers: Sequence[Trigger] = (),
    batch: BatchTerms | None = None,
) -> PipelineHandle:
    """State a pipeline at `origin`, or a batch if its terms are given.

    `triggers` come before those of the option `trigger`.
    """
    given = PIPELINE_DEFAULTS | options
    kind = "pipeline" if batch is None else "batch"
    name = checked_name(name, kind, origin)
    namespace = given["namespace"] or declared().namespace
    namespace = checked_name(namespace, "namespace", origin.at("namespace"))
    parameters = declare(given["params"] or {}, name, origin.at("params"))
    names = [parameter.name for parameter in parameters]
    handles = checked_tasks(tasks, origin)
    home = InBatch.of(namespace, name, batch) if batch else None
    stated = Pipeline(
        name=name,
        namespace=namespace,
        tasks=resolve_tasks(handles, f"{kind} {name}", names, origin.at("tasks"), home),
        parameters=parameters,
        partition_by=_partition(given["partition_by"], names, name, origin.at("partition_by")),
        triggers=(*triggers, *stated_triggers(given["trigger"], origin)),
        concurrency=_concurrency(given["concurrency"], origin.at("concurrency")),
        spark=text_map(given["spark"] or {}, "spark", origin.at("spark")),
        timeout=limit_seconds("timeout", given["timeout"], origin),
        description=given["description"],
        start_date=stated_start(given["start_date"], origin.at("start_date")),
        end_date=stated_end(given["end_date"], given["start_date"], origin.at("end_date")),
        rerun=_rerun(given["rerun"], origin.at("rerun")),
        batch=batch is not None,
        clusters=batch.clusters if batch else (),
    )
    _check_paths(stated, origin)
    _check_schedules(stated, origin.at("trigger"))
    handle = PipelineHandle(name=name, origin=origin, definition=stated, tasks=handles)
    declared().pipelines.append(handle)
    return handle


def _partition(
    by: str | Sequence[str], names: Sequence[str], pipeline: str, origin: Origin
) -> tuple[str, ...]:
    dimensions = (by,) if isinstance(by, str) else tuple(by)
    for dimension in dimensions:
        if dimension not in names:
            raise DefinitionError(
                f"{origin}: partition_by={dimension!r} is not a parameter of pipeline {pipeline}"
            )
    return dimensions


def _rerun(policy: object, origin: Origin) -> str | None:
    try:
        return None if policy is None else str(read_policy(str(policy)))
    except ValueError as error:
        raise DefinitionError(f"{origin}: rerun={error}") from None


def _concurrency(concurrency: object, origin: Origin) -> int:
    if not isinstance(concurrency, int) or isinstance(concurrency, bool) or concurrency < 1:
        raise DefinitionError(f"{origin}: concurrency={concurrency!r} must be 1 or more")
    return concurrency


def _check_schedules(pipeline: Pipeline, origin: Origin) -> None:
    """Raise `DefinitionError` if a schedule starts runs that lack a value."""
    for one in list_unfilled(pipeline):
        raise DefinitionError(
            f"{origin}: parameter {one.name} ({one.type}) of pipeline {pipeline.name} has no value "
            "when its schedule comes: a schedule fills the dates and times of partition_by; give "
            f"others a default, or lg.trigger(…, properties={{{one.name!r}: …}})"
        )


def _check_paths(pipeline: Pipeline, origin: Origin) -> None:
    """Raise `DefinitionError` if a task `a.b` stands beside a task `b` in a group `a`."""
    seen: set[str] = set()
    for path in _paths(pipeline.tasks):
        if path in seen:
            raise DefinitionError(
                f"{origin}: pipeline {pipeline.name} has two tasks with the path {path!r}: "
                "give one another name"
            )
        seen.add(path)


def _paths(tasks: Sequence[Task], above: str = "") -> Iterator[str]:
    for task in tasks:
        path = f"{above}{task.name}"
        yield path
        yield from _paths(tasks_in(task.work), f"{path}.")
