"""What a definition file calls to state a pipeline."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from lineagegraph.authoring.dates import Day, stated_end, stated_start
from lineagegraph.authoring.declared import Declared, declared
from lineagegraph.authoring.handle import Handle
from lineagegraph.authoring.kinds import NestedPipeline
from lineagegraph.authoring.names import checked_name
from lineagegraph.authoring.order import place_all
from lineagegraph.authoring.origin import Origin, caller
from lineagegraph.authoring.parameters import declare
from lineagegraph.authoring.parents import BatchTerms, InBatch
from lineagegraph.authoring.task_options import After, afters
from lineagegraph.authoring.tasks import checked_tasks
from lineagegraph.authoring.texts import text_map
from lineagegraph.authoring.triggers import Stated, stated_triggers
from lineagegraph.errors import DefinitionError, InvalidParameter
from lineagegraph.model.pipelines.definition import Pipeline, PipelineTask, Task
from lineagegraph.model.pipelines.hierarchy import tasks_in
from lineagegraph.model.pipelines.parameters import resolve_params
from lineagegraph.model.runs.rerun import read_policy
from lineagegraph.model.triggers.trigger import Trigger


@dataclass(frozen=True, eq=False, kw_only=True)
class PipelineHandle(Handle):
    """A pipeline that was stated; it may be a task of another, and what a trigger waits for."""

    definition: Pipeline
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
        params: Mapping[str, Any] | None = None,
    ) -> NestedPipeline:
        """Return it as a task of another pipeline, with values for its parameters."""
        origin = caller()
        return self._nested(name or self.name, origin, afters(after, origin), params or {})

    def work(self, parameters: Sequence[str]) -> PipelineTask:
        """Return the pipeline with its defaults."""
        return self._nested(self.name, self.origin, (), {}).work(parameters)

    def _nested(
        self, name: str, origin: Origin, after: tuple[Handle | str, ...], params: Mapping[str, Any]
    ) -> NestedPipeline:
        try:
            values = resolve_params(self.definition, params)
        except InvalidParameter as error:
            raise InvalidParameter(f"{origin}: {error}") from error
        return NestedPipeline(
            name=checked_name(name, "task", origin),
            origin=origin,
            after=after,
            of=self,
            definition=self.definition,
            params=values,
        )


def pipelines_of(collected: Declared) -> list[PipelineHandle]:
    """Return the pipelines among the handles that were declared."""
    return [handle for handle in collected.pipelines if isinstance(handle, PipelineHandle)]


def pipeline(
    name: str,
    *,
    tasks: Iterable[Handle],
    params: Mapping[str, Any] | None = None,
    partition_by: str | Sequence[str] = (),
    trigger: Stated = None,
    spark: Mapping[str, Any] | None = None,
    namespace: str | None = None,
    concurrency: int = 4,
    description: str | None = None,
    start_date: Day | None = None,
    end_date: Day | None = None,
    rerun: str | None = None,
) -> PipelineHandle:
    """State a pipeline: its tasks, parameters, Spark configuration and what starts it.

    `params` maps names to defaults, to types (then a run must give them) or to `lg.param(…)`;
    `partition_by` names those that say which part of the data a run is about, such as a region.
    `trigger` is a condition, what `lg.trigger(…)` states, or several of either. Schedules start it
    from `start_date` to `end_date` only: days or times, in the installation's zone unless they say.
    `rerun` is which code reruns take: `as_was`, `latest`, `ask` or `pinned:VERSION`.
    """
    origin = caller()
    return state_pipeline(
        origin,
        name,
        tasks=tasks,
        params=params,
        partition_by=partition_by,
        triggers=stated_triggers(trigger, origin),
        spark=spark,
        namespace=namespace,
        concurrency=concurrency,
        description=description,
        start_date=start_date,
        end_date=end_date,
        rerun=rerun,
    )


def state_pipeline(
    origin: Origin,
    name: str,
    *,
    tasks: Iterable[Handle],
    params: Mapping[str, Any] | None,
    partition_by: str | Sequence[str],
    triggers: tuple[Trigger, ...],
    spark: Mapping[str, Any] | None,
    namespace: str | None,
    concurrency: int,
    description: str | None,
    start_date: Day | None,
    end_date: Day | None,
    rerun: str | None,
    batch: BatchTerms | None = None,
) -> PipelineHandle:
    """State a pipeline at a place, or a batch where there are terms of one."""
    what = "pipeline" if batch is None else "batch"
    name = checked_name(name, what, origin)
    namespace = checked_name(namespace or declared().namespace, "namespace", origin.at("namespace"))
    parameters = declare(params or {}, name, origin.at("params"))
    names = [parameter.name for parameter in parameters]
    handles = checked_tasks(tasks, origin)
    home = InBatch.of(namespace, name, batch) if batch else None
    stated = Pipeline(
        name=name,
        namespace=namespace,
        tasks=place_all(handles, f"{what} {name}", names, origin.at("tasks"), home),
        parameters=parameters,
        partition_by=_partition(partition_by, names, name, origin.at("partition_by")),
        triggers=triggers,
        concurrency=_concurrency(concurrency, origin.at("concurrency")),
        spark=text_map(spark or {}, "spark", origin.at("spark")),
        description=description,
        start_date=stated_start(start_date, origin.at("start_date")),
        end_date=stated_end(end_date, start_date, origin.at("end_date")),
        rerun=_rerun(rerun, origin.at("rerun")),
        batch=batch is not None,
        clusters=batch.clusters if batch else (),
    )
    _check_paths(stated, origin)
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
                f"{origin}: partition_by={dimension!r} is no parameter of pipeline {pipeline}"
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


def _check_paths(pipeline: Pipeline, origin: Origin) -> None:
    """A task `a.b` and a task `b` in a group `a` could not be told apart."""
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
