"""The local files that runs used, and those that a rerun wrote again."""

from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path

from msgspec import Struct

from lineagegraph.file_states import FileState, is_same
from lineagegraph.graph import Transaction
from lineagegraph.model.typed import decode_json
from lineagegraph.store.lineage.run_lineage import list_below
from lineagegraph.store.runs.reruns import list_files

MOST_RUNS = 20_000


class FilesOfRun(Struct, frozen=True):
    """The states of files by use, as a run reported them."""

    read: tuple[FileState, ...] = ()
    written: tuple[FileState, ...] = ()
    left_out: str = ""  # which states are missing, if any


class Reproduction(StrEnum):
    """The comparison of an output of a rerun with that of its original."""

    SAME = "same"
    DIFFERS = "differs in"
    MISSING = "did not write"
    UNKNOWN = "could not compare"


def read_files(tx: Transaction, run: str) -> FilesOfRun:
    """Return the files that a run itself used."""
    found = files_of_runs(tx, [run])
    return found[0] if found else FilesOfRun()


def read_before(found: Sequence[FilesOfRun]) -> dict[str, FileState]:
    """Return the files that runs read and that none of them wrote in part or whole, by path."""
    written = {Path(state.path) for run in found for state in run.written}
    above = written.union(*(path.parents for path in written))

    def is_written(text: str) -> bool:
        path = Path(text)
        return path in above or not written.isdisjoint(path.parents)

    return {
        state.path: state
        for run in reversed(found)
        for state in run.read
        if not is_written(state.path) and not (state.target and is_written(state.target))
    }


def compare_outputs(tx: Transaction, original: str, rerun: str) -> dict[str, Reproduction]:
    """Compare the files that a run and its rerun left, by path; empty if none were recorded."""
    before, after = (_left(tx, one) for one in (original, rerun))
    return {path: _compare(state, after.get(path)) for path, state in sorted(before.items())}


def _compare(before: FileState, after: FileState | None) -> Reproduction:
    if after is None:
        return Reproduction.MISSING
    if before.content is None or after.content is None:
        return Reproduction.UNKNOWN
    return Reproduction.SAME if is_same(before, after) else Reproduction.DIFFERS


def _left(tx: Transaction, run: str) -> dict[str, FileState]:
    below = list_below(tx, id=run, limit=MOST_RUNS)
    return {state.path: state for one in files_of_runs(tx, below) for state in one.written}


def files_of_runs(tx: Transaction, ids: Sequence[str]) -> list[FilesOfRun]:
    """Return the files of the runs that have some, the earliest first."""
    return [decode_json(row.files, into=FilesOfRun) for row in list_files(tx, ids=list(ids))]
