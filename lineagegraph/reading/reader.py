"""Reads definition files into the graph: those that have changed, and those that are dynamic."""

import json
import os
import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, NamedTuple, Self

from lineagegraph.authoring.current_variables import all_values
from lineagegraph.graph import Graph
from lineagegraph.reading.answer import Inputs, Request
from lineagegraph.reading.batch import Batch, One
from lineagegraph.reading.call_pool import Lanes
from lineagegraph.reading.find import find_known
from lineagegraph.reading.fingerprint import UNSETTLED, FileStates, changed_since
from lineagegraph.reading.importer import Importer
from lineagegraph.reading.parser import parse_file
from lineagegraph.reading.places import Target
from lineagegraph.reading.result import SyncResult
from lineagegraph.settings import Settings

Progress = Callable[[int, int], None]


class Wanted(NamedTuple):
    """Which files are read though nothing has changed."""

    dynamic: bool = True
    faulty: bool = True
    altered: bool = True


CHANGED = Wanted(dynamic=False, faulty=False, altered=False)


class Reader:
    """Reads files, several at once; remembers what it saw of them, until it is closed.

    With `patience`, a file that still goes on that many seconds after the others is left to itself;
    `take_slow` writes it later.
    """

    def __init__(self, graph: Graph, patience: float | None = None) -> None:
        self.graph = graph
        self._patience = patience
        self._importer = Importer()
        self._states = FileStates()
        self._lanes = Lanes[One]()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def close(self) -> None:
        """Give up what is being read."""
        self._importer.close()
        self._lanes.close()

    def read(
        self,
        targets: Sequence[Target],
        settings: Settings,
        wanted: Wanted = Wanted(),  # noqa: B008
        progress: Progress = lambda done, total: None,
    ) -> SyncResult:
        """Read the files that need it, and write what they state; one that fails stops no other."""
        values = all_values(self.graph)
        result = SyncResult()
        stale = []
        for target in targets:
            is_slow = target.key in self._lanes.slow
            if not is_slow and self.is_stale(target, settings, values, wanted):
                stale.append(target)
            elif target.row is not None:
                result.keep(target.row)
        calls = {one.key: partial(self._parse, one, settings, values) for one in stale}
        parsed = self._lanes.call_all(
            calls, self._patience, lambda number: progress(number, 2 * len(stale))
        )
        self._write(parsed, settings, values, result, progress)
        return result

    def take_slow(self) -> SyncResult:
        """Write the slow files that are read by now."""
        result = SyncResult()
        ended = self._lanes.take_ended().values()
        values = all_values(self.graph) if ended else {}
        for one in ended:
            self._write([one], one.settings, values, result)
        return result

    def is_stale(
        self, target: Target, settings: Settings, values: dict[str, Any], wanted: Wanted
    ) -> bool:
        """Say whether a file is to be read."""
        row = target.row
        if row is None or row.fingerprint is None or row.due:
            return True
        if row.withdrawn or any(
            is_so and wants
            for is_so, wants in zip((row.dynamic, row.faulty, row.altered), wanted, strict=True)
        ):
            return True
        inputs = Inputs(row.files or (), row.folders or ())
        given = {name: values.get(name) for name in row.variables or ()}
        return row.fingerprint != self._states.fingerprint(inputs, given, settings)

    def _write(
        self,
        files: list[One],
        settings: Settings,
        values: dict[str, Any],
        result: SyncResult,
        progress: Progress = lambda done, total: None,
    ) -> None:
        batch = Batch(self.graph, files)
        for owner in batch.changed_owners(
            lambda one: self.is_stale(one, settings, values, CHANGED)
        ):
            batch.add(self._parse(owner, settings, values))
        for target in batch.write(result, progress):
            again = find_known(self.graph, target.file)
            result.extend(self.read(again, settings, CHANGED))

    def _parse(self, target: Target, settings: Settings, values: dict[str, Any]) -> One:
        began = time.time_ns()
        parsed = parse_file(self._importer, self._request(target, settings, values))
        if changed_since(parsed.inputs, began):
            return One(target, settings, parsed, UNSETTLED)
        given = {name: values.get(name) for name in parsed.variables}
        fingerprint = self._states.fingerprint(parsed.inputs, given, settings)
        return One(target, settings, parsed, fingerprint)

    def _request(self, target: Target, settings: Settings, values: dict[str, Any]) -> Request:
        return Request(
            file=str(target.file),
            root=str(target.root),
            namespace=settings.namespace,
            zone=settings.zone,
            seconds=settings.parse_seconds,
            memory_bytes=settings.parse_memory_bytes,
            archive_bytes=settings.archive_max_bytes,
            environment=dict(os.environ),
            variables=json.dumps(values),
        )
