"""Checks of names across files: clashes of pipelines, and unknown parents."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple, Protocol

from lineagegraph.graph import Transaction
from lineagegraph.model.names.nearest import did_you_mean
from lineagegraph.reading.known_names import KnownNames
from lineagegraph.reading.parser import Parsed, ParsedPipeline
from lineagegraph.reading.task_jobs import ParentElsewhere, list_elsewhere, list_task_jobs
from lineagegraph.store.freshness import dependencies


class NameOwner(NamedTuple):
    """The owner of a name: a pipeline at a line of a file, or a task of it."""

    namespace: str
    name: str
    where: str
    pipeline: str
    task: str | None

    def __str__(self) -> str:
        if self.task is None:
            return f"defined at {self.where}"
        return f"the full name of task {self.task} of {self.pipeline} at {self.where}"


def names_of(parsed: Iterable[ParsedPipeline]) -> list[NameOwner]:
    """Return the names that pipelines and their tasks have."""
    return [owner for one in parsed for owner in _owners(one)]


def find_clashes(
    parsed: Sequence[ParsedPipeline], others: Iterable[NameOwner] = ()
) -> dict[int, str]:
    """Return errors for the pipelines, by index, whose full name is taken.

    A pipeline must not have the full name of a task of another, as their runs would be confused.
    `others` are names in files that were not read now.
    """
    owners = defaultdict(list)
    for owner in (*names_of(parsed), *others):
        owners[owner.namespace, owner.name].append(str(owner))
    found = ((index, _fault(one, owners)) for index, one in enumerate(parsed))
    return {index: fault for index, fault in found if fault}


def _owners(one: ParsedPipeline) -> Iterable[NameOwner]:
    pipeline, where = one.version.pipeline, f"{one.version.file}:{one.line}"
    yield NameOwner(pipeline.namespace, pipeline.name, where, pipeline.name, None)
    for job in list_task_jobs(pipeline):
        task = ".".join(job.path)
        yield NameOwner(job.name.namespace, job.name.fqn, where, pipeline.name, task)


def _fault(one: ParsedPipeline, owners: dict[tuple[str, str], list[str]]) -> str | None:
    pipeline = one.version.pipeline
    found = dict.fromkeys(owners[pipeline.namespace, pipeline.name])
    if len(found) == 1:
        return None
    return f"pipeline {pipeline.name} is {' and '.join(found)}: rename one"


class HasParsed(Protocol):
    """A file that was read."""

    @property
    def parsed(self) -> Parsed:
        """The content of the file."""


def find_unknown(tx: Transaction, files: Sequence[HasParsed]) -> list[dict[int, str]]:
    """Return for each file the errors of pipelines, by index, that need an unknown job.

    A job is known if these files or the graph have it, or if it is `external`.
    """
    known = KnownNames()
    for pipeline in (one.version.pipeline for file in files for one in file.parsed.pipelines):
        known.add_pipeline(pipeline)
    needed = {
        need.parent for file in files for one in file.parsed.pipelines for need in _needs(one)
    }
    rows = [name._asdict() for name in sorted(needed - known.names)]
    known.add_found(dependencies.list_named(tx, rows=rows))
    return [
        {
            index: fault
            for index, one in enumerate(file.parsed.pipelines)
            for fault in _faults(one, known)
        }
        for file in files
    ]


def _faults(one: ParsedPipeline, known: KnownNames) -> Iterator[str]:
    unknown = [need for need in _needs(one) if known.resolve(need.parent) is None]
    if unknown:
        yield describe_unknown(one, unknown[0], known)


def describe_unknown(one: ParsedPipeline, need: ParentElsewhere, known: KnownNames) -> str:
    """Return the error of a dependency on an unknown or ambiguous job, with its place."""
    name = need.dependency.job
    beside = (other.fqn for other in known.names if other.namespace == need.parent.namespace)
    where = one.parents.get(need.child.task.name, {}).get(name)
    text = (
        f"{where or f'{one.version.file}:{one.line}'}: task {need.child.task.name} depends on "
        f"{need.parent.fqn} of namespace {need.parent.namespace}, which"
    )
    if candidates := known.candidates(need.parent):
        return f"{text} is the name of several: write {' or '.join(candidates)}"
    return (
        f"{text} is unknown"
        f"{did_you_mean(name, beside)}: sync its definition too, or mark it as external"
    )


def _needs(one: ParsedPipeline) -> Iterator[ParentElsewhere]:
    jobs = list_task_jobs(one.version.pipeline)
    return (need for need in list_elsewhere(jobs) if not need.dependency.external)
