"""Files, patterns of files, and folders that are marked as complete."""

import dataclasses
import time
from collections.abc import Iterator
from itertools import islice
from typing import Any, ClassVar, Self

from msgspec.structs import replace

from lineagegraph.errors import InvalidSensor, PokeFailed
from lineagegraph.sensors.answer import PokeAnswer
from lineagegraph.sensors.context import PokeContext
from lineagegraph.sensors.entry import Entry
from lineagegraph.sensors.filesystems import Files, open_files
from lineagegraph.sensors.http.addresses import is_http
from lineagegraph.sensors.http_files import web_entry
from lineagegraph.sensors.paths import checked_path, host_of, is_pattern
from lineagegraph.sensors.policy import SensorPolicy
from lineagegraph.sensors.roots import is_url
from lineagegraph.sensors.seen_files import new_files
from lineagegraph.sensors.sensor import Sensor


class FileSensor(Sensor, frozen=True, kw_only=True, omit_defaults=True):
    """At least `at_least` files exist at a path, which may be a pattern.

    With a `marker` they are folders with a file of that name, such as `_SUCCESS`. A file counts if
    it has `min_bytes` and did not change for some seconds. With `each` every path that matches is a
    new item once.
    """

    kind: ClassVar[str] = "file"
    blocking: ClassVar[bool] = True

    path: str  # absolute path or URL, or a pattern of them
    marker: str | None = None  # name of a file that each folder must contain
    at_least: int = 1  # files that must match
    min_bytes: int = 0  # smallest size of a file that counts
    unchanged_for: float = 0.0  # seconds for which it must be unchanged
    each: bool = False  # whether each path is a new item
    connection: str | None = None  # its options configure the file system

    def checked(self) -> Self:
        """Return it with the path in its one spelling."""
        path = checked_path(self.path)
        if self.at_least < 1 or self.min_bytes < 0 or self.unchanged_for < 0:
            raise InvalidSensor(
                f"file {path}: at_least must be 1 or more, min_bytes and unchanged_for 0 or more"
            )
        if self.at_least > 1 and not is_pattern(path):
            raise InvalidSensor(f"file {path}: at_least > 1 needs a glob pattern")
        if self.each and (self.at_least > 1 or not is_pattern(path)):
            raise InvalidSensor(f"file {path}: each needs a glob pattern, and no at_least")
        if ".." in path[len(_fixed(path)) :].split("/"):
            raise InvalidSensor(f"file {path}: `..` is not allowed after a wildcard")
        if self.marker is not None and (not self.marker or "/" in self.marker):
            raise InvalidSensor(f"file {path}: marker {self.marker!r} is not a file name")
        return replace(self, path=path)

    def permit(self, policy: SensorPolicy) -> None:
        """Raise `InvalidSensor` for a path that is not permitted."""
        policy.check_path(_fixed(self.path))

    def host(self) -> str:
        """Return the server, the bucket or the top of the folders."""
        return host_of(self.path)

    async def poke(self, context: PokeContext) -> PokeAnswer:
        """Return whether the files exist; URLs are requested within the policy."""
        return await (self._ask(context) if is_http(self.path) else super().poke(context))

    def cursor_source(self) -> dict[str, Any]:
        """Return the fields that name its files."""
        return {"path": self.path, "marker": self.marker, "connection": self.connection}

    def look(self, context: PokeContext) -> PokeAnswer:
        """Return whether the files exist, or with `each` those that are new."""
        context.policy.check_address(self.path)
        files, path = open_files(
            self.path, context.storage_options(self.connection), context.policy
        )
        found = self._found(files, path, context)
        if self.each:
            items = (self._item(entry, path) for entry in found)
            return new_files(items, context.cursor, counts=self._counts)
        there = filter(self._counts, found)
        return len(list(islice(there, self.at_least))) == self.at_least

    async def _ask(self, context: PokeContext) -> bool:
        path = f"{self.path}/{self.marker}" if self.marker else self.path
        context.policy.check_path(path)
        entry = await web_entry(path, self.connection, context)
        return entry is not None and self._counts(entry)

    def _found(self, files: Files, path: str, context: PokeContext) -> Iterator[Entry]:
        matched = files.glob(path) if is_pattern(path) else filter(None, [files.find(path)])
        for entry in matched:
            found = files.find(f"{entry.path}/{self.marker}") if self.marker else entry
            if found:
                if not is_url(self.path):
                    context.policy.roots.check(found.path)
                yield found

    def _item(self, entry: Entry, inside: str) -> Entry:
        """Return what a new item names: the folder of a marker, and a URL where the path is one.

        Some file systems leave the host out of the path inside them.
        """
        path = entry.path.removesuffix(f"/{self.marker}") if self.marker else entry.path
        if is_url(self.path) and not is_url(path):
            scheme, host = self.path.partition("://")[0], self.path.removesuffix(inside)
            is_host = host != self.path and "://" in host
            path = (host if is_host else f"{scheme}://") + path
        return dataclasses.replace(entry, path=path)

    def _counts(self, entry: Entry) -> bool:
        if self.min_bytes:
            if entry.size is None:
                raise PokeFailed(f"{entry.path}: its server states no size")
            if entry.size < self.min_bytes:
                return False
        if not self.unchanged_for:
            return True
        if entry.changed_at is None:
            raise PokeFailed(f"{entry.path}: its file system has no modification times")
        return time.time() - entry.changed_at >= self.unchanged_for

    def __str__(self) -> str:
        return f"file {self.path}" + (f"/{self.marker}" if self.marker else "")


def _fixed(path: str) -> str:
    """Return the folder of a pattern that is sure, a path as it is."""
    while is_pattern(path):
        path = path.rpartition("/")[0]
    return path or "/"
