"""Writes that count only once their table is switched, or not at all."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Lock

Report = Callable[[str | None], None]


class Unpublished:
    """Hold back the lineage of writes into versions that are not published yet."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._waiting: dict[str, list[Report]] = {}
        self._failed: dict[str, str] = {}

    @contextmanager
    def holding(self, version: Path) -> Iterator[None]:
        """Hold back until this ends; an exception makes the write one that failed."""
        key = version.as_posix()
        with self._lock:
            self._waiting[key] = []
        try:
            yield
        except BaseException as error:
            self._settle(key, f"not published: {error}")
            raise
        self._settle(key, None)

    def when_settled(self, path: str | None, report: Report) -> None:
        """Call `report` with why the table was not switched, or None; at once if that is known."""
        key = (path or "").removeprefix("file:")
        with self._lock:
            waiting = self._waiting.get(key)
            if waiting is not None:
                waiting.append(report)
                return
        report(self._failed.pop(key, None))

    def _settle(self, key: str, why: str | None) -> None:
        with self._lock:
            reports = self._waiting.pop(key)
            if why and not reports:
                self._failed[key] = why
        for report in reports:
            report(why)


UNPUBLISHED = Unpublished()
