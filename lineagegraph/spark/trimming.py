"""Dates at the end of a path as a partition of one dataset, not as a dataset for each day.

The kinds and the defaults are those of OpenLineage's trimmers of dataset names.
"""

import re
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import replace
from datetime import datetime

from lineagegraph.spark.action import Description, Table, WriteTarget
from lineagegraph.spark.dataset_names import DatasetName, partition_value

CONF = "spark.lineagegraph.disabledTrimmers"
KEY_VALUE = "keyValue"

_DATES = (
    (re.compile(r"\d{4}-\d{2}-\d{2}"), "%Y-%m-%d"),
    (re.compile(r"\d{2}\.\d{2}\.\d{4}"), "%d.%m.%Y"),
    (re.compile(r"\d{8}"), "%Y%m%d"),
)
# What a time may have beside its date: 2026-11-22T09:01Z.
_TIME = re.compile(r"[TZ\s:.\d-]*")

# The number of folders, the key, the value.
_Found = tuple[int, str, str | None] | None


def trimmers(disabled: str) -> list[str]:
    """Return the kinds of trimmers but those in a list with semicolons; unknown ones count not."""
    without = {name.strip().lower() for name in disabled.split(";")}
    return [kind for kind in _TRIMMERS if kind.lower() not in without]


def trim(name: DatasetName, kinds: Collection[str]) -> DatasetName:
    """Return the dataset that a path is a partition of, or the same name.

    A version of a table is of this very path, so its name stays.
    """
    if name.path is None or name.version is not None:
        return name
    if KEY_VALUE not in kinds and name.partition:
        name = replace(name, name=name.path, partition=())
    used = [_TRIMMERS[kind] for kind in kinds]
    while trimmed := _trim_once(name, used):
        name = trimmed
    return name


def trim_description(description: Description, kinds: Collection[str]) -> Description:
    """Return a description with trimmed names; tables of a catalog keep theirs."""
    relations = {
        id_: tuple(_trim_table(table, kinds) for table in tables)
        for id_, tables in description.relations.items()
    }
    also = tuple(
        replace(each, relations=relations, target=_trim_target(each.target, kinds))
        for each in description.also
    )
    target = _trim_target(description.target, kinds)
    return replace(description, relations=relations, target=target, also=also)


def _trim_target(target: WriteTarget | None, kinds: Collection[str]) -> WriteTarget | None:
    if target is None or target.delta:
        return target
    return replace(target, table=_trim_table(target.table, kinds))


def _trim_table(table: Table, kinds: Collection[str]) -> Table:
    return table if table.table else replace(table, dataset=trim(table.dataset, kinds))


def _trim_once(
    name: DatasetName, used: Iterable[Callable[[Sequence[str]], _Found]]
) -> DatasetName | None:
    folders = name.name.split("/")
    for find in used:
        found = find([folder for folder in folders if folder])
        if found and found[1] not in dict(name.partition):
            count, key, value = found
            partition = ((key, value), *name.partition)
            return replace(name, name="/".join(folders[:-count]), partition=partition)
    return None


def _date(folders: Sequence[str]) -> _Found:
    if len(folders) < 2:
        return None
    last = folders[-1]
    for pattern, form in _DATES:
        for found in pattern.finditer(last):
            if date := _parsed(found[0], form):
                rest = last[: found.start()] + last[found.end() :]
                is_time = _TIME.fullmatch(rest)
                return (1, "date", last if rest else date) if is_time else None
    return None


def _dates(folders: Sequence[str]) -> _Found:
    """Return the date of `…/2026/11/22`, or the month of `…/2026/11`."""
    for count, form, key, least in ((2, "%Y%m", "month", 3), (3, "%Y%m%d", "date", 4)):
        if len(folders) >= least and (found := _parsed("".join(folders[-count:]), form)):
            return count, key, found
    return None


def _month(folders: Sequence[str]) -> _Found:
    if len(folders) < 2:
        return None
    found = _parsed(folders[-1], "%Y%m") or _parsed(folders[-1], "%Y-%m")
    return (1, "month", found) if found else None


def _key_value(folders: Sequence[str]) -> _Found:
    """Return a folder `key=value` above a date; those at the end of a path have no date below."""
    named = partition_value(folders[-1]) if len(folders) > 1 else None
    return (1, *named) if named else None


def _parsed(text: str, form: str) -> str | None:
    """Return a date or month as ISO writes it; None for a text that is none."""
    digits = form.count("%d") * 2 + form.count("%m") * 2 + 4
    if sum(character.isdigit() for character in text) != digits or not text.isascii():
        return None
    try:
        found = datetime.strptime(text, form)  # noqa: DTZ007
    except ValueError:
        return None
    return found.strftime("%Y-%m-%d" if "%d" in form else "%Y-%m")


_TRIMMERS: dict[str, Callable[[Sequence[str]], _Found]] = {
    "date": _date,
    "multiDirDate": _dates,
    "yearMonth": _month,
    KEY_VALUE: _key_value,
}
