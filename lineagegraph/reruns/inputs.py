"""The inputs of a run, compared with the data of now."""

from collections.abc import Collection, Iterator
from datetime import UTC, datetime
from pathlib import Path

import msgspec

from lineagegraph.file_states import FileState, is_same, state_of
from lineagegraph.graph import Transaction
from lineagegraph.reruns.files import MOST_RUNS, files_of_runs, read_before
from lineagegraph.store.jobs.details import RunUseRow, list_reads
from lineagegraph.store.lineage.run_lineage import list_below
from lineagegraph.store.runs.reruns import Original, Replaced, list_replaced

_FILES = "file"


class ChangedInput(msgspec.Struct, frozen=True):
    """An input that changed since it was read; `why` is the reason in words."""

    name: str
    before: str | None
    after: str | None
    why: str


class ComparedInputs(msgspec.Struct, frozen=True):
    """The inputs of a run that changed since, and the names of those that cannot be compared."""

    changed: tuple[ChangedInput, ...]
    unrecorded: tuple[str, ...]


def compare_inputs(tx: Transaction, original: Original) -> ComparedInputs:
    """Compare the inputs of a run and its descendants with the data of now."""
    below = list_below(tx, id=original.id, limit=MOST_RUNS + 1)
    inside = set(below)
    reads = [use for use in list_reads(tx, ids=below) if use.writer not in inside]
    versions = sorted({use.version for use in reads if use.version})
    newer = {one.key: one for one in list_replaced(tx, keys=versions)}
    files = files_of_runs(tx, below)
    states = read_before(files)
    found = {one for use in reads for one in _changed(use, newer, states, original)}
    replaced = {one.name for one in found}
    changed = (one for state in states.values() for one in _changed_files(state))
    found |= {one for one in changed if one.name not in replaced}
    known = {_name(use) for use in reads if _has_states(use, states)} | replaced
    unrecorded = {_name(use) for use in reads if use.version is None} - known
    unrecorded |= {one.left_out for one in files if one.left_out}
    if len(below) > MOST_RUNS:
        unrecorded.add(f"what all but {MOST_RUNS:,} of its runs read")
    order = sorted(found, key=lambda one: (one.name, one.before or ""))
    return ComparedInputs(tuple(order), tuple(sorted(unrecorded)))


def _changed(
    use: RunUseRow, newer: dict[str, Replaced], states: Collection[str], original: Original
) -> Iterator[ChangedInput]:
    name, before = _name(use), use.version
    if before and before in newer:
        one = newer[before]
        by = f" by run {one.run_id}" if one.run_id else ""
        yield ChangedInput(name, before, one.newer, f"{name} was written again since{by}")
    elif use.namespace != _FILES or _has_states(use, states):
        return
    elif not Path(use.name).exists():
        yield ChangedInput(name, before, None, f"{name} no longer exists")
    elif before is None and _is_newer(use.name, original.started_at):
        yield ChangedInput(name, None, None, f"{name} was changed since the run began")


def _has_states(use: RunUseRow, states: Collection[str]) -> bool:
    """Return whether states are known of the dataset, or of the partitions that were read."""
    return use.namespace == _FILES and any(Path(path).is_relative_to(use.name) for path in states)


def _changed_files(before: FileState) -> Iterator[ChangedInput]:
    """Yield files that are other than they were when the run read them."""
    name, now = f"{_FILES}:{before.path}", state_of(before.path)
    if now is None and not Path(before.path).exists():
        yield ChangedInput(name, before.listing, None, f"{name} no longer exists")
    elif not is_same(before, now):
        after = now.listing if now else None
        yield ChangedInput(name, before.listing, after, f"{name} has changed since the run read it")


def _is_newer(path: str, than: datetime | None) -> bool:
    """Return whether a file, or one in a folder, changed without an event."""
    top = Path(path)
    newest = max(file.stat().st_mtime for file in (top, *top.rglob("*")) if file.exists())
    return than is not None and datetime.fromtimestamp(newest, UTC) > than


def _name(use: RunUseRow) -> str:
    return f"{use.namespace}:{use.name}"
