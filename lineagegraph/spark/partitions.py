"""The partitions that a write touched: those with a file of it that is not older than it."""

import re
from collections.abc import Iterator
from itertools import chain
from typing import Any

from lineagegraph.spark.action import Partition, Statistics
from lineagegraph.spark.dataset_names import partition_value

_STATUS = re.compile(
    r"path=(?P<path>.*?); isDirectory=false; length=(?P<length>\d+);"
    r".*?modification_time=(?P<time>\d+)"
)
# The names of files have the id of the job that wrote them.
_JOB = re.compile(r"-([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})[^/]*$")
_MAGIC = re.compile(r"([\[\]{}?*\\])")
_WHOLE = ("integer", "long", "short", "byte")

Columns = tuple[tuple[str, str], ...]


def written_partitions(
    jvm: Any,
    gateway: Any,
    configuration: Any,
    path: str,
    columns: Columns,
    since: int,
    written: Statistics,
) -> tuple[Partition, ...]:
    """Return the partitions under a path that a job wrote since a time (milliseconds)."""
    path = _MAGIC.sub(r"\\\1", path)
    folders = "/".join(f"{name}=*" for name, _ in columns)
    pattern = jvm.org.apache.hadoop.fs.Path(f"{path}/{folders}/[^._]*")
    statuses = pattern.getFileSystem(configuration).globStatus(pattern)
    held = gateway.new_array(jvm.java.lang.Object, 1)
    held[0] = statuses
    return partitions_in(jvm.java.util.Arrays.deepToString(held), columns, since, written)


def partitions_in(
    statuses: str, columns: Columns, since: int, written: Statistics
) -> tuple[Partition, ...]:
    """Return the partitions of the files that Hadoop's file statuses, as text, name.

    If other jobs write there at the same time, the number and size of its files tell those of this
    job; else those of all of them are returned.
    """
    if written.files == 0:
        return ()
    jobs: dict[str, list[re.Match[str]]] = {}
    for status in _STATUS.finditer(statuses):
        if _is_new(int(status["time"]), since):
            job = _JOB.search(status["path"])
            jobs.setdefault(job[1] if job else "", []).append(status)
    own = [files for files in jobs.values() if _is_all(files, written)]
    files = own[0] if len(own) == 1 else chain.from_iterable(jobs.values())
    kinds = dict(columns)
    found = {tuple(_values(status["path"], kinds)) for status in files}
    return tuple(dict(partition) for partition in sorted(found, key=str))


def _is_all(files: list[re.Match[str]], written: Statistics) -> bool:
    size = sum(int(file["length"]) for file in files)
    return (len(files), size) == (written.files, written.bytes)


def _is_new(modified: int, since: int) -> bool:
    """Object stores keep whole seconds only."""
    return modified >= (since if modified % 1000 else since - 999)


def _values(path: str, kinds: dict[str, str]) -> Iterator[tuple[str, Any]]:
    for folder in path.split("/"):
        named = partition_value(folder)
        if named and named[0] in kinds:
            yield named[0], _typed(named[1], kinds[named[0]])


def _typed(value: str | None, kind: str) -> Any:
    return int(value) if value is not None and kind in _WHOLE else value
