"""Parents that tasks depend on and nobody knows."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Protocol

from lineagegraph.graph import Transaction
from lineagegraph.model.names.nearest import did_you_mean
from lineagegraph.reading.elsewhere import Elsewhere, Name, list_elsewhere
from lineagegraph.reading.jobs import list_task_jobs
from lineagegraph.reading.parser import Parsed, ParsedPipeline
from lineagegraph.store.freshness import dependencies


class ReadFile(Protocol):
    """A file that was read."""

    @property
    def parsed(self) -> Parsed:
        """What it states."""


def find_unknown(tx: Transaction, files: Sequence[ReadFile]) -> list[dict[int, str]]:
    """Return for each file what is wrong with pipelines, by index, that need an unknown job.

    Known is what these files state, what the graph has, and what is `external`.
    """
    stated = {name for file in files for one in file.parsed.pipelines for name in _names(one)}
    needed = {
        need.parent for file in files for one in file.parsed.pipelines for need in _needs(one)
    }
    rows = [name._asdict() for name in sorted(needed - stated)]
    found = dependencies.list_named(tx, rows=rows)
    known = stated | {Name(one.namespace, one.fqn) for one in found if one.is_known}
    return [
        {
            index: fault
            for index, one in enumerate(file.parsed.pipelines)
            for fault in _faults(one, known)
        }
        for file in files
    ]


def _faults(one: ParsedPipeline, known: set[Name]) -> Iterator[str]:
    unknown = [need for need in _needs(one) if need.parent not in known]
    if unknown:
        yield say_unknown(one, unknown[0], known)


def say_unknown(one: ParsedPipeline, need: Elsewhere, known: Iterable[Name]) -> str:
    """Tell where a pipeline names a job that nobody knows."""
    name = need.dependency.job
    beside = (other.fqn for other in known if other.namespace == need.parent.namespace)
    where = one.parents.get(need.child.task.name, {}).get(name)
    return (
        f"{where or f'{one.version.file}:{one.line}'}: task {need.child.task.name} depends on "
        f"{need.parent.fqn} of namespace {need.parent.namespace}, which nobody knows"
        f"{did_you_mean(name, beside)}: sync what defines it too, or call it external"
    )


def _names(one: ParsedPipeline) -> Iterator[Name]:
    pipeline = one.version.pipeline
    yield Name(pipeline.namespace, pipeline.name)
    yield from (Name(job.name.namespace, job.name.fqn) for job in list_task_jobs(pipeline))


def _needs(one: ParsedPipeline) -> Iterator[Elsewhere]:
    jobs = list_task_jobs(one.version.pipeline)
    return (need for need in list_elsewhere(jobs) if not need.dependency.external)
