"""Definition files that were read, with all that they state: several in one transaction."""

from collections.abc import Iterable, Iterator, Sequence

from lineagegraph.errors import GraphBusy, LineagegraphError, QueryRefused
from lineagegraph.graph import Graph, Transaction
from lineagegraph.reading.parser import ParsedPipeline
from lineagegraph.reading.write_file import Writing, Written, withdraw
from lineagegraph.reading.write_pipeline import Synced, Unusable, write_pipelines
from lineagegraph.store.pipelines import definition_files

_MOST_FILES = 25
_MOST_BYTES = 8_000_000


class _Overtaken(LineagegraphError):
    """Another process has read some of the files meanwhile: those with these keys."""

    def __init__(self, keys: set[str]) -> None:
        super().__init__(f"{len(keys)} files were read by another process meanwhile")
        self.keys = keys


def write_files(graph: Graph, files: Sequence[Writing]) -> dict[str, Written]:
    """Write files in one transaction, and return what came of each, by key.

    Pipelines that the graph cannot take become faults of their files. What another process has
    read meanwhile is left to it, and not returned.
    """
    files = list(files)
    while files:
        try:
            return graph.write(_write, files)
        except Unusable as error:
            _refuse(files, [error.pipeline], error)
        except _Overtaken as error:
            files = [one for one in files if one.target.key not in error.keys]
        except (GraphBusy, QueryRefused) as error:
            if len(files) > 1:
                return _write_each(graph, files)
            if isinstance(error, GraphBusy) or not files[0].accepted:
                raise
            _refuse(files, files[0].pipelines, error)
    return {}


def _write_each(graph: Graph, files: Sequence[Writing]) -> dict[str, Written]:
    """Write files one by one: what the server says of a transaction names none of them."""
    each = (write_files(graph, [one]) for one in files)
    return {key: written for some in each for key, written in some.items()}


def in_groups(files: Iterable[Writing]) -> Iterator[list[Writing]]:
    """Yield files that go into one transaction: not too many, and of each job only one."""
    group: list[Writing] = []
    for one in files:
        if group and not _fits(one, group):
            yield group
            group = []
        group.append(one)
    if group:
        yield group


def _fits(one: Writing, group: list[Writing]) -> bool:
    taken = {key for other in group for key in other.keys}
    size = sum(len(p.source.content) for other in (*group, one) for p in other.pipelines)
    return len(group) < _MOST_FILES and size <= _MOST_BYTES and taken.isdisjoint(one.keys)


def _write(tx: Transaction, files: list[Writing]) -> dict[str, Written]:
    _claim(tx, files)
    synced = _write_pipelines(tx, files)
    rows = [row for one in files for row in one.pipeline_rows()]
    definition_files.link_pipelines(tx, rows=rows)
    withdrawn = {one.target.key: _withdraw(tx, one) for one in files}
    definition_files.set_files(tx, rows=[one.file_row() for one in files], now=None)
    for one in files:
        if one.faults or (one.target.row and one.target.row.faulty):
            faults = one.fault_rows()
            definition_files.merge_faults(tx, key=one.target.key, faults=faults, now=None)
    return {
        key: Written(synced[key], one.faults, withdrawn[key])
        for one in files
        for key in (one.target.key,)
    }


def _claim(tx: Transaction, files: list[Writing]) -> None:
    claimed = definition_files.claim_files(tx, rows=[one.claim_row() for one in files])
    turns = {row.key: row.turn for row in claimed}
    expected = {one.target.key: one.target.row.turn if one.target.row else 0 for one in files}
    if overtaken := {key for key, turn in expected.items() if turns[key] != turn}:
        raise _Overtaken(overtaken)


def _write_pipelines(tx: Transaction, files: list[Writing]) -> dict[str, list[Synced]]:
    places = [(file.target.key, one) for file in files for _, one in file.accepted]
    synced = write_pipelines(
        tx, [one for _, one in places], application=files[0].settings.application
    )
    found: dict[str, list[Synced]] = {file.target.key: [] for file in files}
    for (key, _), one in zip(places, synced, strict=True):
        found[key].append(one)
    return found


def _withdraw(tx: Transaction, file: Writing) -> list[str]:
    if file.target.row is None or file.parsed.fault:
        return []
    return withdraw(tx, file.target.key, [*file.keys, *file.elsewhere])


def _refuse(files: Sequence[Writing], pipelines: Sequence[ParsedPipeline], why: Exception) -> None:
    for file in files:
        for index, one in file.accepted:
            if any(one is other for other in pipelines):
                name, where = one.version.pipeline.name, f"{one.version.file}:{one.line}"
                file.refused[index] = f"{where}: pipeline {name}: {why}"
