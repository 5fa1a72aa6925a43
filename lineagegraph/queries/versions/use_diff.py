"""A comparison of the datasets that two runs used."""

from collections.abc import Iterable, Mapping
from operator import itemgetter

import msgspec

from lineagegraph.model.change import Change
from lineagegraph.store.jobs.details import FieldRow, RunUseRow

Columns = Mapping[str, tuple[FieldRow, ...]]


class Used(msgspec.Struct, frozen=True):
    """The use of a dataset by a run and its descendants; `versions` are keys."""

    versions: tuple[str, ...]
    schema: str | None
    row_count: int | None
    size: int | None
    file_count: int | None


class ColumnDiff(msgspec.Struct, frozen=True):
    """A column with its type, before and after."""

    name: str
    change: Change
    before: str | None
    after: str | None


class UseDiff(msgspec.Struct, frozen=True):
    """A dataset, and its use by each run; `columns` are those that differ."""

    namespace: str
    name: str
    change: Change
    before: Used | None
    after: Used | None
    columns: tuple[ColumnDiff, ...]


def sum_up(uses: Iterable[RunUseRow], shown: Mapping[str, str]) -> dict[str, Used]:
    """Return the uses of each dataset merged into one, with summed counts.

    `shown` has the dataset that stands for all with its names, by key.
    """
    sorted_out: dict[str, list[RunUseRow]] = {}
    for use in uses:
        sorted_out.setdefault(shown[use.dataset], []).append(use)
    return {
        key: Used(
            tuple(sorted({use.version for use in found if use.version})),
            next((use.schema for use in reversed(found) if use.schema), None),
            _sum(use.row_count for use in found),
            _sum(use.size for use in found),
            _sum(use.file_count for use in found),
        )
        for key, found in sorted_out.items()
    }


def diff_uses(
    before: Mapping[str, Used],
    after: Mapping[str, Used],
    names: Mapping[str, tuple[str, str]],
    columns: Columns,
    *,
    by_version: bool,
) -> tuple[UseDiff, ...]:
    """Return all datasets by name; with `by_version`, another version counts as a change."""
    used = {key: names[key] for key in before.keys() | after.keys()}
    return tuple(
        _diff(*name, before.get(key), after.get(key), columns, by_version)
        for key, name in sorted(used.items(), key=itemgetter(1))
    )


def _diff(
    namespace: str,
    name: str,
    before: Used | None,
    after: Used | None,
    columns: Columns,
    by_version: bool,
) -> UseDiff:
    differing = diff_columns(_columns(before, columns), _columns(after, columns))
    change = Change.ADDED if before is None else Change.REMOVED
    if before and after:
        same = _compared(before, by_version) == _compared(after, by_version) and not differing
        change = Change.SAME if same else Change.CHANGED
    return UseDiff(namespace, name, change, before, after, differing if before and after else ())


def diff_columns(before: Iterable[FieldRow], after: Iterable[FieldRow]) -> tuple[ColumnDiff, ...]:
    """Return the columns that were added, removed or changed type; empty if a side has none."""
    old, new = ({column.name: column.type for column in columns} for columns in (before, after))
    names = dict.fromkeys((*old, *new)) if old and new else {}
    return tuple(
        ColumnDiff(name, _column_change(name, old, new), old.get(name), new.get(name))
        for name in names
        if name not in old or name not in new or old[name] != new[name]
    )


def _column_change(name: str, old: Mapping[str, object], new: Mapping[str, object]) -> Change:
    if name not in old:
        return Change.ADDED
    return Change.CHANGED if name in new else Change.REMOVED


def _columns(used: Used | None, columns: Columns) -> tuple[FieldRow, ...]:
    return columns.get(used.schema or "", ()) if used else ()


def _compared(used: Used, by_version: bool) -> tuple[object, ...]:
    versions = used.versions if by_version else ()
    return versions, used.row_count, used.size, used.file_count


def _sum(counts: Iterable[int | None]) -> int | None:
    known = [count for count in counts if count is not None]
    return sum(known) if known else None
