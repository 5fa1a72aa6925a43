"""Reads definitions again as soon as their files change, and dynamic ones from time to time."""

import time
from collections.abc import Callable
from pathlib import Path
from threading import Event

import structlog
import watchfiles

from lineagegraph.errors import LineagegraphError
from lineagegraph.graph import Graph
from lineagegraph.reading.find import find_known
from lineagegraph.reading.folders import topmost, watched_folders
from lineagegraph.reading.places import settings_of, this_host
from lineagegraph.reading.reader import CHANGED, Reader
from lineagegraph.reading.result import SyncResult
from lineagegraph.reading.sync import read_path
from lineagegraph.settings import Settings
from lineagegraph.store.pipelines import definition_files, definition_paths

log = structlog.get_logger()
_PATIENCE_SECONDS = 1.0
_TICK_MS = 1000
_STEP_MS = 50
_DEBOUNCE_MS = 400
_LOOK_SECONDS = 30.0
_GONE_SECONDS = 1.0
_RETRY_SECONDS = 5.0


class Watch:
    """Watches paths, or where none are given all that `sync` was given on this host.

    `tell` hears of what is new; `may_read` is asked before each look.
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
        """Watch until it is over; what goes wrong is logged, and tried again."""
        with Reader(self._graph, _PATIENCE_SECONDS) as reader:
            while not over.is_set():
                try:
                    self._follow(reader, over)
                except (LineagegraphError, OSError) as error:
                    log.warning("definitions_not_watched", error=str(error))
                    over.wait(_RETRY_SECONDS)

    def _follow(self, reader: Reader, over: Event) -> None:
        """Watch the folders that there are now, until there are others."""
        places = self._places()
        folders = watched_folders(self._graph, places) if self._may_read() else set()
        if not folders:
            over.wait(_TICK_MS / 1000)
            return
        look_at = time.monotonic()
        for changes in watchfiles.watch(
            *folders,
            step=_STEP_MS,
            debounce=_DEBOUNCE_MS,
            rust_timeout=_TICK_MS,
            yield_on_timeout=True,
            recursive=False,
            stop_event=over,
        ):
            if not self._may_read():
                return
            self._tell_news(reader.take_slow())
            if changes or time.monotonic() >= look_at:
                for path, settings in places.items():
                    self._read(reader, path, settings, over)
                look_at = time.monotonic() + _LOOK_SECONDS
                if watched_folders(self._graph, places) != folders:
                    return
            else:
                self._read_due(reader)
            if self._places() != places:
                return

    def _places(self) -> dict[Path, Settings]:
        """Return what to watch, each with the settings that it was read with."""
        if self._given:
            return dict.fromkeys(self._given, self._settings)
        known = {
            Path(row.path): settings_of(row, self._settings)
            for row in self._graph.read(definition_paths.list_paths, host=this_host())
        }
        stated = {path.resolve(): self._settings for path in self._settings.definitions}
        return {path: (known | stated)[path] for path in topmost(known | stated)}

    def _read(self, reader: Reader, path: Path, settings: Settings, over: Event) -> None:
        try:
            result = read_path(
                reader, settings, path, CHANGED, settle=lambda: over.wait(_GONE_SECONDS)
            )
        except LineagegraphError as error:
            result = SyncResult(failures=[str(error)])
        self._tell_news(result)

    def _read_due(self, reader: Reader) -> None:
        for name in self._graph.read(definition_files.due_files, host=this_host(), now=None):
            if Path(name).exists():
                for target in find_known(self._graph, Path(name)):
                    settings = target.settings(self._settings)
                    self._tell_news(reader.read([target], settings, CHANGED))

    def _tell_news(self, result: SyncResult) -> None:
        """Tell what is new; a fault that stays is told once."""
        failures = [one for one in result.failures if one not in self._failures]
        self._failures = dict.fromkeys([*self._failures, *failures][-1000:])
        pipelines = [one for one in result.pipelines if one.is_new]
        if pipelines or failures or result.withdrawn:
            self._tell(SyncResult(pipelines, failures, withdrawn=result.withdrawn))
