"""Files that were read together: their names are compared, then each is written."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from lineagegraph.graph import Graph
from lineagegraph.reading.clashes import Owner, find_clashes, names_of
from lineagegraph.reading.parser import Parsed
from lineagegraph.reading.places import Target, known_target, this_host
from lineagegraph.reading.result import Dynamic, SyncResult
from lineagegraph.reading.store_source import place
from lineagegraph.reading.unknown_parents import find_unknown
from lineagegraph.reading.write_file import Writing, is_dynamic, job_key
from lineagegraph.reading.write_files import in_groups, write_files
from lineagegraph.settings import Settings
from lineagegraph.store.pipelines import definition_files


class One(NamedTuple):
    """A file that was read, and what held for it where it says nothing itself."""

    target: Target
    settings: Settings
    parsed: Parsed
    fingerprint: str


class Batch:
    """Files of one reading."""

    def __init__(self, graph: Graph, files: list[One]) -> None:
        self._graph = graph
        self._files = files

    def add(self, one: One) -> None:
        """Take in one more file."""
        self._files.append(one)

    def changed_owners(self, is_stale: Callable[[Target], bool]) -> list[Target]:
        """Return files that had a name which one of these has now, and that have changed since."""
        paths = sorted({path for root in self._roots() for path in self._owners(root).values()})
        found: list[Target] = []
        for path in paths:
            rows = self._graph.read(definition_files.list_files, host=this_host(), path=path)
            found += [one for one in map(known_target, rows) if is_stale(one)]
        return found

    def write(self, result: SyncResult, progress: Callable[[int, int], None]) -> list[Target]:
        """Write the files, and return those that another process has read meanwhile."""
        done, overtaken = len(self._files), []
        for group in in_groups(self._writings()):
            written = write_files(self._graph, group)
            for file in group:
                if file.target.key not in written:
                    overtaken.append(file.target)
                    continue
                result.add(file.target, written[file.target.key])
                if is_dynamic(file.parsed):
                    result.dynamic.append(Dynamic(file.target.path, file.parsed.unsteady))
            done += len(group)
            progress(done, 2 * len(self._files))
        return overtaken

    def _writings(self) -> Iterator[Writing]:
        clashes = self._clashes()
        for number, faults in enumerate(self._graph.read(find_unknown, self._files)):
            clashes[number] = faults | clashes[number]
        stated = {
            job_key(one): number
            for number, file in enumerate(self._files)
            for one in file.parsed.pipelines
        }
        for number, file in enumerate(self._files):
            declared = file.target.row.pipelines if file.target.row else []
            yield Writing(
                file.target,
                file.settings,
                file.parsed,
                [place(one, file.settings) for one in file.parsed.pipelines],
                file.fingerprint,
                [one.key for one in declared if stated.get(one.key, number) != number],
                clashes[number],
            )

    def _clashes(self) -> list[dict[int, str]]:
        """Return for each file which of its pipelines, by index, have a name that is another's."""
        found: list[dict[int, str]] = [{} for _ in self._files]
        for root in self._roots():
            places = [
                (number, index)
                for number, file in enumerate(self._files)
                for index in range(len(file.parsed.pipelines))
                if file.target.root == root
            ]
            parsed = [self._files[number].parsed.pipelines[index] for number, index in places]
            for at, fault in find_clashes(parsed, self._owners(root)).items():
                number, index = places[at]
                found[number][index] = fault
        return found

    def _roots(self) -> list[Path]:
        return sorted({file.target.root for file in self._files})

    def _owners(self, root: Path) -> dict[Owner, str]:
        """Return what has one of the names in a file that was not read now, and in which."""
        files = [file for file in self._files if file.target.root == root]
        names = {
            (owner.namespace, owner.name)
            for file in files
            for owner in names_of(file.parsed.pipelines)
        }
        rows = self._graph.read(
            definition_files.list_owners,
            host=this_host(),
            root=str(root),
            names=[{"namespace": namespace, "name": name} for namespace, name in sorted(names)],
            files=[str(file.target.file) for file in files],
        )
        owners = {
            Owner(row.namespace, row.name, f"{row.path}:{row.line}", row.pipeline, row.task): row
            for row in rows
        }
        paths = {owner: root / row.path for owner, row in owners.items()}
        return {owner: str(path) for owner, path in paths.items() if path.exists()}
