"""Group files for transactions; those that wait for each other come together."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from graphlib import CycleError, TopologicalSorter

from lineagegraph.model.names.keys import name_job
from lineagegraph.reading.task_jobs import FullName, list_elsewhere, list_task_jobs
from lineagegraph.reading.write_files import FileToWrite

_MOST_FILES = 100
_MOST_BYTES = 8_000_000


class _Group:
    """Files for one transaction."""

    def __init__(self) -> None:
        self.files: list[FileToWrite] = []
        self._keys: set[str] = set()
        self._bytes = 0

    def takes(self, more: Sequence[FileToWrite]) -> bool:
        """Return whether the files fit in, and state none of its jobs."""
        return not self.files or (
            len(self.files) + len(more) <= _MOST_FILES
            and self._bytes + _size(more) <= _MOST_BYTES
            and self._keys.isdisjoint(key for one in more for key in one.keys)
        )

    def add(self, more: Sequence[FileToWrite]) -> None:
        """Add files."""
        self.files += more
        self._keys.update(key for one in more for key in one.keys)
        self._bytes += _size(more)


def in_groups(files: Iterable[FileToWrite]) -> Iterator[list[FileToWrite]]:
    """Yield groups of files for one transaction: limited in size, with each job only once.

    Files in a circle of dependencies are in one group, however many, so that all are refused.
    """
    listed = list(files)
    group = _Group()
    for numbers in _joined(_needs(listed)):
        together = [listed[number] for number in sorted(numbers)]
        if not group.takes(together):
            yield group.files
            group = _Group()
        group.add(together)
    if group.files:
        yield group.files


def _size(files: Sequence[FileToWrite]) -> int:
    return sum(len(one.source.content) for file in files for one in file.pipelines)


def _needs(files: Sequence[FileToWrite]) -> dict[int, set[int]]:
    """Return for each file those whose jobs its tasks depend on, by their numbers."""
    owner: dict[FullName, int] = {}
    by_simple_name: dict[FullName, int] = {}
    wanted: list[set[FullName]] = []
    for number, file in enumerate(files):
        wanted.append(set())
        for _, one in file.accepted:
            pipeline = one.version.pipeline
            tasks = list_task_jobs(pipeline)
            for name in (name_job(pipeline.namespace, pipeline.name), *(t.name for t in tasks)):
                owner[FullName(name.namespace, name.fqn)] = number
                by_simple_name[FullName(name.namespace, name.simple_name)] = number
            wanted[-1] |= {other.parent for other in list_elsewhere(tasks)}
    owner = by_simple_name | owner
    return {
        number: {owner[name] for name in names if name in owner} - {number}
        for number, names in enumerate(wanted)
    }


def _joined(needs: Mapping[int, set[int]]) -> list[frozenset[int]]:
    """Return the numbers in order, those in a circle together."""
    place = {number: frozenset([number]) for number in needs}
    while True:
        between = {
            joined: {place[other] for number in joined for other in needs[number]} - {joined}
            for joined in place.values()
        }
        try:
            TopologicalSorter(between).prepare()
        except CycleError as error:
            circle = frozenset[int]().union(*error.args[1])
            place |= dict.fromkeys(circle, circle)
        else:
            return list(dict.fromkeys(place.values()))
