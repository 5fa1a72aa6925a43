"""Watch definition files: read them again after changes, and dynamic ones periodically."""

import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from threading import Event

import structlog
import watchfiles

from lineagegraph.errors import GraphClosed, LineagegraphError
from lineagegraph.graph import Graph
from lineagegraph.reading.definition_files import (
    find_known,
    path_marks,
    settings_of,
    this_host,
    walk_own,
)
from lineagegraph.reading.parsed_files import SyncResult
from lineagegraph.reading.reader import ONLY_CHANGED, Reader
from lineagegraph.reading.sync import read_path
from lineagegraph.settings import Settings
from lineagegraph.store.pipelines import definition_files, definition_paths


def watched_folders(graph: Graph, paths: Iterable[Path]) -> set[str]:
    """Return the folders of definition files and their inputs, and those for new files."""
    return {folder for path in paths for folder in _folders(graph, path) if Path(folder).is_dir()}


def topmost(paths: Iterable[Path]) -> list[Path]:
    """Return the paths that are not below others of them."""
    kept: list[Path] = []
    for path in sorted(set(paths)):
        if not any(path.is_relative_to(above) for above in kept):
            kept.append(path)
    return kept


def watched_paths(graph: Graph, settings: Settings) -> dict[Path, Settings]:
    """Return the topmost paths that this host reads, with the settings of their last reading."""
    known = {
        Path(row.path): settings_of(row, settings)
        for row in graph.read(definition_paths.list_paths, host=this_host())
    }
    marks = graph.read(path_marks)
    stated = {path.resolve(): settings for path in settings.definitions}
    each = {path: of for path, of in (known | stated).items() if not marks.is_forgotten(path)}
    return {path: each[path] for path in topmost(each)}


def _folders(graph: Graph, path: Path) -> Iterator[str]:
    yield str(path if path.is_dir() else path.parent)
    yield from (folder for folder, _ in walk_own(path))
    for row in graph.read(definition_files.list_files, host=this_host(), path=str(path)):
        yield from (str(Path(file).parent) for file in row.files or ())
        yield from row.folders or ()


log = structlog.get_logger()
_PATIENCE_SECONDS = 1.0
_TICK_MS = 1000
_STEP_MS = 50
_DEBOUNCE_MS = 400
_POLL_SECONDS = 30.0
_GONE_SECONDS = 1.0
_RETRY_SECONDS = 5.0


class Watch:
    """Watches paths, by default all that were synced on this host.

    `tell` is called with new results; `may_read` is called before each reading.
    """

    def __init__(
        self,
        graph: Graph,
        settings: Settings,
        tell: Callable[[SyncResult], None],
        paths: tuple[Path, ...] = (),
        may_read: Callable[[], bool] = lambda: True,
    ) -> None:
        self._graph = graph
        self._settings = settings
        self._tell = tell
        self._given = paths
        self._may_read = may_read
        self._failures: dict[str, None] = {}

    def run(self, over: Event) -> None:
        """Watch until `over` is set; errors are logged, and the watch is restarted."""
        with Reader(self._graph, _PATIENCE_SECONDS) as reader:
            while not over.is_set():
                try:
                    self._follow(reader, over)
                except GraphClosed:
                    # Nobody opens it again.
                    return
                except (LineagegraphError, OSError) as error:
                    log.warning("definitions_not_watched", error=str(error))
                    over.wait(_RETRY_SECONDS)

    def _follow(self, reader: Reader, over: Event) -> None:
        """Watch the current folders until they change."""
        places = self._places()
        folders = watched_folders(self._graph, places) if self._may_read() else set()
        if not folders:
            over.wait(_TICK_MS / 1000)
            return
        read_at = time.monotonic()
        for changes in watchfiles.watch(
            *folders,
            step=_STEP_MS,
            debounce=_DEBOUNCE_MS,
            rust_timeout=_TICK_MS,
            yield_on_timeout=True,
            recursive=False,
            ignore_permission_denied=True,
            stop_event=over,
        ):
            if not self._may_read():
                return
            self._tell_news(reader.take_slow())
            if changes or time.monotonic() >= read_at:
                for path, settings in places.items():
                    self._read(reader, path, settings, over)
                read_at = time.monotonic() + _POLL_SECONDS
                if watched_folders(self._graph, places) != folders:
                    return
            else:
                self._read_due(reader)
            if self._places() != places:
                return

    def _places(self) -> dict[Path, Settings]:
        """Return the watched paths with the settings of their last reading."""
        if self._given:
            return dict.fromkeys(self._given, self._settings)
        return watched_paths(self._graph, self._settings)

    def _read(self, reader: Reader, path: Path, settings: Settings, over: Event) -> None:
        try:
            result = read_path(
                reader,
                settings,
                path,
                ONLY_CHANGED,
                await_replacement=lambda: over.wait(_GONE_SECONDS),
            )
        except (LineagegraphError, OSError) as error:
            result = SyncResult(failures=[str(error)])
        self._tell_news(result)

    def _read_due(self, reader: Reader) -> None:
        for name in self._graph.read(definition_files.due_files, host=this_host(), now=None):
            if Path(name).exists():
                for target in find_known(self._graph, Path(name)):
                    settings = target.settings(self._settings)
                    self._tell_news(reader.read([target], settings, ONLY_CHANGED))

    def _tell_news(self, result: SyncResult) -> None:
        """Report new results; a fault that stays is reported once."""
        failures = [one for one in result.failures if one not in self._failures]
        self._failures = dict.fromkeys([*self._failures, *failures][-1000:])
        pipelines = [one for one in result.pipelines if one.is_new]
        if pipelines or failures or result.withdrawn:
            self._tell(SyncResult(pipelines, failures, withdrawn=result.withdrawn))
