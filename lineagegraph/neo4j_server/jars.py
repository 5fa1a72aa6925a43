"""The user's cache of the server's jars, shared by every checkout and process of that user."""

from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor, as_completed
from functools import partial
from pathlib import Path
from threading import Lock as Mutex

from lineagegraph.neo4j_server.download import download, intact
from lineagegraph.neo4j_server.filelock import locked
from lineagegraph.neo4j_server.lock import Artifact, Lock
from lineagegraph.settings import Settings

Progress = Callable[[int, int], None]
"""Told the bytes that are there and the bytes that will be."""

_AT_A_TIME = 16


class JarCache:
    """Jars below `folder`, laid out as a Maven repository; safe for processes that run at once."""

    def __init__(self, folder: Path, repository: str | None = None) -> None:
        self.folder = folder
        self._repository = repository

    def file(self, artifact: Artifact) -> Path:
        """Return the file of `artifact` in the cache."""
        return self.folder / artifact.path

    def missing(self, artifacts: Iterable[Artifact]) -> list[Artifact]:
        """Return the missing artifacts, and those that do not match the lock."""
        listed = list(artifacts)
        with ThreadPoolExecutor(_AT_A_TIME) as pool:
            good = pool.map(lambda each: intact(self.file(each), each), listed)
            return [each for each, is_good in zip(listed, good, strict=True) if not is_good]

    def fill(self, lock: Lock, progress: Progress | None = None) -> None:
        """Fetch missing and damaged artifacts; return at once if there is none."""
        if not self.missing(lock.artifacts):
            return
        self.folder.mkdir(parents=True, exist_ok=True)
        with locked(self.folder / ".lock"):
            self._fetch(self.missing(lock.artifacts), progress)

    def _fetch(self, artifacts: list[Artifact], progress: Progress | None) -> None:
        tally = _Tally(sum(each.size for each in artifacts), progress)
        largest_first = sorted(artifacts, key=lambda each: -each.size)
        with ThreadPoolExecutor(_AT_A_TIME) as pool:
            fetching = [pool.submit(self._fetch_one, each, tally) for each in largest_first]
            try:
                for each in as_completed(fetching):
                    each.result()
            finally:
                pool.shutdown(cancel_futures=True)

    def _fetch_one(self, artifact: Artifact, tally: "_Tally") -> None:
        repository = self._repository or _central()
        url = f"{repository.rstrip('/')}/{artifact.path}"
        download(url, self.file(artifact), artifact, partial(tally.note, artifact))


def _central() -> str:
    from jgo.constants import MAVEN_CENTRAL_URL  # slow to import, and seldom needed

    return str(MAVEN_CENTRAL_URL)


def jar_cache(settings: Settings) -> JarCache:
    """Return the cache that `settings` name."""
    return JarCache(settings.cache.absolute() / "maven", settings.maven_repository)


class _Tally:
    def __init__(self, total: int, progress: Progress | None) -> None:
        self._total = total
        self._progress = progress
        self._received: dict[Artifact, int] = {}
        self._mutex = Mutex()

    def note(self, artifact: Artifact, count: int) -> None:
        with self._mutex:
            self._received[artifact] = count
            if self._progress is not None:
                self._progress(sum(self._received.values()), self._total)
