"""Check batch files, with or without the graph that they would be written to."""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import msgspec

from lineagegraph.graph import Graph
from lineagegraph.model.freshness.describe import describe_freshness
from lineagegraph.model.freshness.period import longest_age, periods
from lineagegraph.model.freshness.terms import Dependency
from lineagegraph.model.names.nearest import did_you_mean
from lineagegraph.model.pipelines.definition import Pipeline, Task
from lineagegraph.reading.batch_context import BatchContext, find_circles, load_context
from lineagegraph.reading.name_checks import describe_unknown
from lineagegraph.reading.parser import Parsed, ParsedPipeline
from lineagegraph.reading.task_jobs import FullName, list_elsewhere, list_task_jobs
from lineagegraph.text import format_duration

Tasks = Mapping[FullName, tuple[Pipeline, Task]]


class BatchWarning(NamedTuple):
    """A warning about a task, or about its dependency on a job."""

    task: str
    parent: str | None
    message: str


def list_warnings(pipeline: Pipeline, known: Tasks) -> Iterator[BatchWarning]:
    """Yield warnings about a batch's terms that are valid but rarely intended."""
    for task in pipeline.tasks:
        yield from _own(pipeline, task)
        for one in task.dependencies:
            for message in _edge(pipeline, task, one, known):
                yield BatchWarning(task.name, one.job, message)


def _own(pipeline: Pipeline, task: Task) -> Iterator[BatchWarning]:
    terms = task.freshness
    if terms and terms.max_age in periods(pipeline.triggers) and terms.since is None:
        age = format_duration(terms.max_age or 0)
        yield BatchWarning(
            task.name,
            None,
            f"is fresh for {age}, which is the period of its own schedule: a run that ended late "
            'lets the next one be skipped; use since ("day", "hour" or a cron expression)',
        )


def _edge(pipeline: Pipeline, task: Task, one: Dependency, known: Tasks) -> Iterator[str]:
    terms = one.freshness
    if one.wait and one.wait < one.recheck:
        yield (
            f"waits {format_duration(one.wait)}, but checks again every "
            f"{format_duration(one.recheck)}: lower recheck"
        )
    if _name(pipeline, task, one) not in known:
        return
    home, parent = known[_name(pipeline, task, one)]
    gaps = periods(home.triggers)
    if terms.max_age and gaps and terms.since is None and terms.max_age <= max(gaps):
        yield _drift(terms.max_age, max(gaps))
    if parent.freshness and longest_age(terms) < longest_age(parent.freshness):
        yield (
            f"needs it by {describe_freshness(terms)}, but it is itself fresh by "
            f"{describe_freshness(parent.freshness)}: submitted in between, it is skipped as fresh "
            "and this task waits in vain; give both the same terms"
        )


def _drift(age: float, gap: float) -> str:
    period = format_duration(gap)
    if age == gap:
        return (
            f"accepts it up to an age of {period}, which is the period of its schedule: the run "
            "before may count when it ended a little later than this begins; use since "
            '("day", "hour" or a cron expression)'
        )
    return (
        f"accepts it up to an age of {format_duration(age)}, but it runs every {period}: it is "
        "stale for a part of each period; use since, or a greater age"
    )


def _name(pipeline: Pipeline, task: Task, one: Dependency) -> FullName:
    if one.namespace is None and one.job in task.after:
        return FullName(pipeline.namespace, f"{pipeline.name}.{one.job}")
    return FullName(one.namespace or pipeline.namespace, one.job)


class CheckedBatch(msgspec.Struct, frozen=True):
    """A batch that a file states."""

    name: str
    namespace: str
    tasks: int


class FileReport(msgspec.Struct, frozen=True):
    """The batches of a file, its faults and its warnings."""

    file: str
    batches: list[CheckedBatch]
    faults: list[str]
    warnings: list[str]


class ReadFile(msgspec.Struct, frozen=True):
    """A file that was read."""

    file: str
    parsed: Parsed

    @property
    def batches(self) -> list[ParsedPipeline]:
        """The batches in it."""
        return [one for one in self.parsed.pipelines if one.version.pipeline.batch]


def check_files(files: Sequence[ReadFile], graph: Graph | None) -> list[FileReport]:
    """Return a report on each file; without a graph, parents elsewhere are not checked."""
    batches = [one for file in files for one in file.batches]
    around = load_context(graph, [one.version.pipeline for one in batches])
    circles = find_circles(batches, around)
    return [_report(file, around, circles) for file in files]


def _report(file: ReadFile, around: BatchContext, circles: dict[str, str]) -> FileReport:
    faults = [file.parsed.fault] if file.parsed.fault else []
    for one in file.batches:
        faults += _faults(one, around)
        if circle := circles.get(one.version.hash):
            faults.append(f"{_where(one)}: batch {one.version.pipeline.name}: {circle}")
    return FileReport(
        file=file.file,
        batches=[_summary(one) for one in file.batches],
        faults=faults,
        warnings=[text for one in file.batches for text in _warnings(one, around)],
    )


def _summary(one: ParsedPipeline) -> CheckedBatch:
    pipeline = one.version.pipeline
    return CheckedBatch(pipeline.name, pipeline.namespace, len(pipeline.tasks))


def _faults(one: ParsedPipeline, around: BatchContext) -> Iterator[str]:
    for need in list_elsewhere(list_task_jobs(one.version.pipeline)):
        where = one.parents.get(need.child.task.name, {}).get(need.dependency.job, _where(one))
        parent = around.known.resolve(need.parent) or need.parent
        if why := around.gone.get(parent):
            yield f"{where}: task {need.child.task.name} depends on {parent.fqn}, which {why}"
        elif not need.dependency.external and around.is_unknown(need.parent):
            yield describe_unknown(one, need, around.known)


def _warnings(one: ParsedPipeline, around: BatchContext) -> Iterator[str]:
    for task, parent, message in list_warnings(one.version.pipeline, around.tasks):
        where = one.parents.get(task, {}).get(parent or "", _where(one))
        on = f" and {parent}" if parent else ""
        yield f"{where}: task {task}{on}: {message}"
    yield from () if around.has_graph else _simple_names(one, around)


def _simple_names(one: ParsedPipeline, around: BatchContext) -> Iterator[str]:
    """Yield a warning for each simple name that only a graph could resolve."""
    beside = [task.name for task in one.version.pipeline.tasks]
    for need in list_elsewhere(list_task_jobs(one.version.pipeline)):
        name = need.dependency.job
        if need.dependency.external or "." in name or around.known.resolve(need.parent):
            continue
        where = one.parents.get(need.child.task.name, {}).get(name, _where(one))
        yield (
            f"{where}: task {need.child.task.name} and {name}: these files have no such task"
            f"{did_you_mean(name, beside)}: check it with a graph"
        )


def _where(one: ParsedPipeline) -> str:
    return f"{one.version.file}:{one.line}"
