"""Read changed and dynamic definition files into the graph."""

import json
import os
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from queue import Empty, SimpleQueue
from typing import Any, Generic, NamedTuple, Self, TypeVar

from lineagegraph.authoring.current_variables import all_values
from lineagegraph.graph import Graph
from lineagegraph.process_environment.handover import task_environment
from lineagegraph.reading.definition_files import DefinitionFile, find_known
from lineagegraph.reading.fingerprint import UNSETTLED, FileStates, changed_since
from lineagegraph.reading.importer import Importer, ImportRequest, Inputs
from lineagegraph.reading.parsed_files import ParsedFile, ParsedFiles, SyncResult
from lineagegraph.reading.parser import parse_file
from lineagegraph.settings import Settings

T = TypeVar("T")


class CallPool(Generic[T]):
    """A thread pool that sets slow calls aside.

    It runs as many calls at once as there are processors. `slow` has the calls, by name, that are
    no longer waited for.
    """

    def __init__(self) -> None:
        self.slow: dict[str, Future[T]] = {}
        self._pool = ThreadPoolExecutor(os.cpu_count())

    def call_all(
        self,
        calls: Mapping[str, Callable[[], T]],
        patience: float | None,
        progress: Callable[[int], None],
    ) -> list[T]:
        """Return the results of the calls, in order.

        Calls that are running when none has ended for `patience` seconds are set aside.
        """
        ended = SimpleQueue[Future[T]]()
        waiting = self._submit(calls, ended)
        returned: dict[str, T] = {}
        while waiting:
            try:
                future = ended.get(timeout=patience)
            except Empty:
                waiting = self._leave(waiting, calls, ended)
                continue
            if (name := waiting.pop(future, None)) is not None:
                returned[name] = future.result()
                progress(len(returned))
        return [returned[name] for name in calls if name in returned]

    def take_ended(self) -> dict[str, T]:
        """Return the results of slow calls that have ended, each once."""
        ended = [name for name, future in self.slow.items() if future.done()]
        return {name: self.slow.pop(name).result() for name in ended}

    def close(self) -> None:
        """Start no more calls."""
        self._pool.shutdown(wait=False, cancel_futures=True)

    def _submit(
        self, calls: Mapping[str, Callable[[], T]], ended: SimpleQueue[Future[T]]
    ) -> dict[Future[T], str]:
        waiting = {self._pool.submit(call): name for name, call in calls.items()}
        for future in waiting:
            future.add_done_callback(ended.put)
        return waiting

    def _leave(
        self,
        waiting: Mapping[Future[T], str],
        calls: Mapping[str, Callable[[], T]],
        ended: SimpleQueue[Future[T]],
    ) -> dict[Future[T], str]:
        """Give calls that have not started other threads than the slow ones."""
        queued = {name: calls[name] for future, name in waiting.items() if future.cancel()}
        self.slow |= {name: future for future, name in waiting.items() if name not in queued}
        self.close()
        self._pool = ThreadPoolExecutor(os.cpu_count())
        return self._submit(queued, ended)


# To plan all statements anew takes Neo4j as long as to read that many files.
_MANY = 100
Progress = Callable[[int, int], None]


class RereadPolicy(NamedTuple):
    """Which files are read even if nothing has changed."""

    dynamic: bool = True
    faulty: bool = True
    altered: bool = True
    due: bool = True


ONLY_CHANGED = RereadPolicy(dynamic=False, faulty=False, altered=False)


class Reader:
    """Reads files, several at once, and caches their states until it is closed.

    With `patience`, a file that takes that many seconds longer than the others is set aside;
    `take_slow` writes it later.
    """

    def __init__(self, graph: Graph, patience: float | None = None) -> None:
        self.graph = graph
        self._patience = patience
        self._importer = Importer()
        self._states = FileStates()
        self._lanes = CallPool[ParsedFile]()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def close(self) -> None:
        """Stop all reading."""
        self._importer.close()
        self._lanes.close()

    def read(
        self,
        targets: Sequence[DefinitionFile],
        settings: Settings,
        wanted: RereadPolicy = RereadPolicy(),  # noqa: B008
        progress: Progress = lambda done, total: None,
        *,
        take: bool = False,
    ) -> SyncResult:
        """Read stale files and write their pipelines; a file that fails does not stop others.

        With `take`, pipelines that another project or host defines move to these files.
        """
        values = all_values(self.graph)
        result = SyncResult()
        stale = []
        for target in targets:
            if not self.is_slow(target) and (
                take or self.is_stale(target, target.under(settings), values, wanted)
            ):
                stale.append(target)
            elif target.row is not None:
                result.keep(target.row)
        graph = self.graph
        if len(stale) >= _MANY:
            graph = graph.keeping_plans()
            self._rehearse(graph, stale[0], stale[0].under(settings), values)
        calls = {one.key: partial(self._parse, one, one.under(settings), values) for one in stale}
        parsed = self._lanes.call_all(
            calls, self._patience, lambda number: progress(number, 2 * len(stale))
        )
        self._write(ParsedFiles(graph, parsed, take=take), settings, values, result, progress)
        return result

    def is_slow(self, target: DefinitionFile) -> bool:
        """Return whether a file is set aside: its pipelines are not known yet."""
        return target.key in self._lanes.slow

    def take_slow(self) -> SyncResult:
        """Write the slow files that are read by now."""
        result = SyncResult()
        ended = self._lanes.take_ended().values()
        values = all_values(self.graph) if ended else {}
        for one in ended:
            self._write(ParsedFiles(self.graph, [one]), one.settings, values, result)
        return result

    def is_stale(
        self,
        target: DefinitionFile,
        settings: Settings,
        values: dict[str, Any],
        wanted: RereadPolicy,
    ) -> bool:
        """Return whether a file must be read."""
        row = target.row
        if row is None or row.fingerprint is None:
            return True
        if row.withdrawn or any(
            is_so and wants
            for is_so, wants in zip(
                (row.dynamic, row.faults, row.altered, row.due), wanted, strict=True
            )
        ):
            return True
        inputs = Inputs(row.files or (), row.folders or ())
        given = {name: values.get(name) for name in row.variables or ()}
        return row.fingerprint != self._states.fingerprint(inputs, given, settings)

    def _write(
        self,
        batch: ParsedFiles,
        settings: Settings,
        values: dict[str, Any],
        result: SyncResult,
        progress: Progress = lambda done, total: None,
    ) -> None:
        for owner in batch.changed_owners(
            lambda one: self.is_stale(one, one.settings(settings), values, ONLY_CHANGED)
        ):
            batch.add(self._parse(owner, owner.settings(settings), values))
        for target in batch.write(result, progress):
            again = find_known(self.graph, target.file)
            result.extend(self.read(again, target.under(settings), ONLY_CHANGED))

    def _rehearse(
        self, graph: Graph, target: DefinitionFile, settings: Settings, values: dict[str, Any]
    ) -> None:
        """Let Neo4j, which may just have started, plan the writing of a file beside the reading."""

        def work() -> None:
            ParsedFiles(graph, [self._parse(target, settings, values)]).rehearse()

        pool = ThreadPoolExecutor(1)
        pool.submit(work)
        pool.shutdown(wait=False)

    def _parse(
        self, target: DefinitionFile, settings: Settings, values: dict[str, Any]
    ) -> ParsedFile:
        began = time.time_ns()
        parsed = parse_file(self._importer, self._request(target, settings, values))
        given = {name: values.get(name) for name in parsed.variables}
        fingerprint = self._states.fingerprint(parsed.inputs, given, settings)
        # Asked afterwards: the fingerprint must not be that of a later text.
        is_settled = not changed_since(parsed.inputs, began)
        return ParsedFile(target, settings, parsed, fingerprint if is_settled else UNSETTLED)

    def _request(
        self, target: DefinitionFile, settings: Settings, values: dict[str, Any]
    ) -> ImportRequest:
        return ImportRequest(
            file=str(target.file),
            root=str(target.root),
            namespace=settings.namespace,
            zone=settings.zone,
            seconds=settings.parse_seconds,
            memory_bytes=settings.parse_memory_bytes,
            archive_bytes=settings.archive_max_bytes,
            environment=task_environment(settings),
            variables=json.dumps(values),
        )
