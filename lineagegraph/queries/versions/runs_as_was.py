"""The tasks of a run with their states: those of a definition, or external runs below it."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence

import msgspec

from lineagegraph.model.runs.ids import derived_id
from lineagegraph.queries.versions.tasks_as_was import TaskAsWas, take_inputs, take_outputs
from lineagegraph.store.jobs.details import RunUseRow
from lineagegraph.store.runs.as_was import BelowRow, ThenRun

_MOST_LAUNCHES = 10_000


def tasks_of_run(
    run: ThenRun,
    stated: Iterable[TaskAsWas],
    below: Sequence[BelowRow],
    reads: Iterable[RunUseRow],
    writes: Iterable[RunUseRow],
) -> list[TaskAsWas]:
    """Return the defined tasks with their runs; runs inside a task count as its own."""
    runs = {row.id: row for row in below}
    tasks = [(task, _run_of(run, task.path, runs)) for task in stated]
    data = _Data(_owners(below, {row.id for _, row in tasks if row}), reads, writes)
    return [data.of(_went(task, row), row.id) if row else task for task, row in tasks]


def external_tasks(
    run: str, below: Sequence[BelowRow], reads: Iterable[RunUseRow], writes: Iterable[RunUseRow]
) -> list[TaskAsWas]:
    """Return the runs below one that has no definition, in the order of their begin.

    Further runs of one job beside each other, such as mapped tasks, get a number: `load (2)`.
    """
    paths: dict[str, tuple[str, ...]] = {run: ()}
    numbers: Counter[str] = Counter()
    for row in below:
        above = paths.get(row.parent, ())
        path = (*above, row.simple_name)
        first = ".".join(path)
        # Another job may have the name with the number, and names may have dots.
        while numbers[".".join(path)]:
            numbers[first] += 1
            path = (*above, f"{row.simple_name} ({numbers[first]})")
        numbers[".".join(path)] += 1
        paths[row.id] = path
    data = _Data({row.id: row.id for row in below}, reads, writes)
    return [data.of(_went(_foreign(row, paths), row), row.id) for row in below]


def _foreign(row: BelowRow, paths: Mapping[str, tuple[str, ...]]) -> TaskAsWas:
    return TaskAsWas(
        path=".".join(paths[row.id]),
        name=paths[row.id][-1],
        runs=row.kind or "external",
        parent=".".join(paths[row.id][:-1]) or None,
        after=tuple(".".join(paths[id_]) for id_ in row.follows if id_ in paths),
    )


def _run_of(run: ThenRun, path: str, runs: Mapping[str, BelowRow]) -> BelowRow | None:
    """Return the run of a task in the last launch that reached it."""
    # A run that waited was launched once for each time that it was woken.
    # An event may state any attempt.
    last = min(max(run.launches or 1, run.attempt or 1), _MOST_LAUNCHES)
    for launch in range(last, 0, -1):
        found = runs.get(derived_id(run.id, path, str(launch)))
        if found:
            return found
    return None


def _went(task: TaskAsWas, row: BelowRow) -> TaskAsWas:
    return msgspec.structs.replace(
        task,
        state=row.state,
        run=row.id,
        attempts=row.attempt,
        started_at=row.started_at,
        ended_at=row.ended_at,
        reason=row.reason,
        error=row.error,
        log=row.log,
    )


def _owners(below: Iterable[BelowRow], tasks: set[str]) -> dict[str, str]:
    """Return the task of each run: itself, or its nearest ancestor among them."""
    owners: dict[str, str] = {}
    for row in below:
        if row.id in tasks:
            owners[row.id] = row.id
        elif row.parent in owners:
            owners[row.id] = owners[row.parent]
    return owners


class _Data:
    """Reads and writes, by the task whose runs did them."""

    def __init__(
        self, owners: Mapping[str, str], reads: Iterable[RunUseRow], writes: Iterable[RunUseRow]
    ) -> None:
        self._reads = _by_owner(reads, owners)
        self._writes = _by_owner(writes, owners)
        self._runs: dict[str, set[str]] = defaultdict(set)
        for run, owner in owners.items():
            self._runs[owner].add(run)

    def of(self, task: TaskAsWas, run: str) -> TaskAsWas:
        """Return a task with its data."""
        return msgspec.structs.replace(
            task,
            reads=take_inputs(self._reads.get(run, ()), self._runs[run]),
            writes=take_outputs(self._writes.get(run, ())),
        )


def _by_owner(
    uses: Iterable[RunUseRow], owners: Mapping[str, str]
) -> Mapping[str, Sequence[RunUseRow]]:
    found: dict[str, list[RunUseRow]] = defaultdict(list)
    for use in uses:
        if use.id in owners:
            found[owners[use.id]].append(use)
    return found
