"""The inputs of a run, compared with the data of now."""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import msgspec

from lineagegraph.graph import Transaction
from lineagegraph.store.jobs.details import RunUseRow, list_reads
from lineagegraph.store.lineage.run_lineage import list_below
from lineagegraph.store.runs.reruns import Original, Replaced, list_replaced

_MOST_RUNS = 3_000
_FILES = "file"


class ChangedInput(msgspec.Struct, frozen=True):
    """An input that changed since it was read; `why` is the reason in words."""

    name: str
    before: str | None
    after: str | None
    why: str


def changed_inputs(tx: Transaction, original: Original) -> list[ChangedInput]:
    """Return the changed inputs of a run and its descendants."""
    below = list_below(tx, id=original.id, limit=_MOST_RUNS)
    reads = [use for use in list_reads(tx, ids=below) if use.writer not in below]
    versions = sorted({use.version for use in reads if use.version})
    newer = {one.key: one for one in list_replaced(tx, keys=versions)}
    found = [one for use in reads for one in _changed(use, newer, original)]
    return sorted(set(found), key=lambda one: (one.name, one.before or ""))


def _changed(
    use: RunUseRow, newer: dict[str, Replaced], original: Original
) -> Iterator[ChangedInput]:
    name, before = f"{use.namespace}:{use.name}", use.version
    if before and before in newer:
        one = newer[before]
        by = f" by run {one.run_id}" if one.run_id else ""
        yield ChangedInput(name, before, one.newer, f"{name} was written again since{by}")
    elif use.namespace == _FILES and not Path(use.name).exists():
        yield ChangedInput(name, before, None, f"{name} no longer exists")
    elif use.namespace == _FILES and before is None and _is_newer(use.name, original.started_at):
        yield ChangedInput(name, None, None, f"{name} was changed since the run began")


def _is_newer(path: str, than: datetime | None) -> bool:
    """Return whether a file, or one in a folder, changed without an event."""
    folder = Path(path)
    found = [folder, *(folder.iterdir() if folder.is_dir() else ())]
    newest = max(file.stat().st_mtime for file in found if file.exists())
    return than is not None and datetime.fromtimestamp(newest, UTC) > than
