"""The committed list of jars that make the server: exact coordinates, sizes and sha256."""

from dataclasses import dataclass
from functools import cache
from importlib.resources import files

import msgspec

from lineagegraph.errors import DownloadFailed
from lineagegraph.model.typed import decode_json


@dataclass(frozen=True)
class Artifact:
    """One jar; `coordinate` is Maven's `group:artifact:version[:classifier]`."""

    coordinate: str
    sha256: str
    size: int

    @property
    def path(self) -> str:
        """Return its path in a Maven repository."""
        group, name, version, *classifier = self.coordinate.split(":")
        file = "-".join([name, version, *classifier])
        return f"{group.replace('.', '/')}/{name}/{version}/{file}.jar"


@dataclass(frozen=True)
class Lock:
    """The server and its Browser, each as a version, and every jar they need."""

    neo4j: str
    browser: str
    artifacts: tuple[Artifact, ...]

    @property
    def browser_artifact(self) -> Artifact:
        """Return the jar that holds Neo4j Browser's pages."""
        wanted = f"org.neo4j.client:neo4j-browser:{self.browser}"
        return next(each for each in self.artifacts if each.coordinate == wanted)


def parse_lock(text: str | bytes) -> Lock:
    """Decode a lock file; raise `DownloadFailed` with the place of an error."""
    try:
        return decode_json(text, into=Lock)
    except msgspec.DecodeError as error:
        raise DownloadFailed(
            f"neo4j.lock.json: {error}; reinstall lineagegraph, or write it again with `relock`"
        ) from error


def format_lock(lock: Lock) -> str:
    """Encode a lock file, one artifact a line, in a stable order."""
    ordered = sorted(lock.artifacts, key=lambda each: each.coordinate)
    lines = ",\n".join("    " + msgspec.json.encode(each).decode() for each in ordered)
    return (
        f'{{\n  "neo4j": "{lock.neo4j}",\n  "browser": "{lock.browser}",\n'
        f'  "artifacts": [\n{lines}\n  ]\n}}\n'
    )


@cache
def read_lock() -> Lock:
    """Read the lock that this version of lineagegraph ships."""
    return parse_lock(files(__package__).joinpath("neo4j.lock.json").read_bytes())
