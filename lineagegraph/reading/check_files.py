"""Batches of files that are checked, with the graph that they would come into or without one."""

from collections.abc import Iterator, Sequence

import msgspec

from lineagegraph.graph import Graph
from lineagegraph.reading.batch_context import Surroundings, look_around
from lineagegraph.reading.batch_warnings import list_warnings
from lineagegraph.reading.circles import find_circles
from lineagegraph.reading.elsewhere import list_elsewhere
from lineagegraph.reading.jobs import list_task_jobs
from lineagegraph.reading.parser import Parsed, ParsedPipeline
from lineagegraph.reading.unknown_parents import say_unknown


class CheckedBatch(msgspec.Struct, frozen=True):
    """A batch that a file states."""

    name: str
    namespace: str
    tasks: int


class Report(msgspec.Struct, frozen=True):
    """What a file states, what is wrong with it, and what is odd."""

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


def check_files(files: Sequence[ReadFile], graph: Graph | None) -> list[Report]:
    """Return a report on each file; all parents elsewhere are looked up only in a graph."""
    batches = [one for file in files for one in file.batches]
    around = look_around(graph, [one.version.pipeline for one in batches])
    circles = find_circles(batches, around)
    return [_report(file, around, circles) for file in files]


def _report(file: ReadFile, around: Surroundings, circles: dict[str, str]) -> Report:
    faults = [file.parsed.fault] if file.parsed.fault else []
    for one in file.batches:
        faults += _faults(one, around)
        if circle := circles.get(one.version.hash):
            faults.append(f"{_where(one)}: batch {one.version.pipeline.name}: {circle}")
    return Report(
        file=file.file,
        batches=[_summary(one) for one in file.batches],
        faults=faults,
        warnings=[said for one in file.batches for said in _warnings(one, around)],
    )


def _summary(one: ParsedPipeline) -> CheckedBatch:
    pipeline = one.version.pipeline
    return CheckedBatch(pipeline.name, pipeline.namespace, len(pipeline.tasks))


def _faults(one: ParsedPipeline, around: Surroundings) -> Iterator[str]:
    for need in list_elsewhere(list_task_jobs(one.version.pipeline)):
        where = one.parents.get(need.child.task.name, {}).get(need.dependency.job, _where(one))
        if why := around.gone.get(need.parent):
            yield f"{where}: task {need.child.task.name} depends on {need.parent.fqn}, which {why}"
        elif not need.dependency.external and around.is_unknown(need.parent):
            yield say_unknown(one, need, around.names)


def _warnings(one: ParsedPipeline, around: Surroundings) -> Iterator[str]:
    for task, parent, message in list_warnings(one.version.pipeline, around.tasks):
        where = one.parents.get(task, {}).get(parent or "", _where(one))
        on = f" and {parent}" if parent else ""
        yield f"{where}: task {task}{on}: {message}"


def _where(one: ParsedPipeline) -> str:
    return f"{one.version.file}:{one.line}"
