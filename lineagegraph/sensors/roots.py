"""The folders and URLs that sensors may read."""

import os
import re
from pathlib import PurePosixPath
from urllib.parse import unquote

from lineagegraph.errors import InvalidSensor

_URL = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://")


def is_url(path: str) -> bool:
    """Return whether a path is a URL."""
    return _URL.match(path) is not None


class Roots:
    """Check paths: links and `..` are resolved first.

    Without any roots all paths are inside; with `confined` none is.
    """

    def __init__(self, roots: tuple[str, ...], *, confined: bool = False) -> None:
        self._all = roots
        self._is_limited = confined or bool(roots)
        self._local = [os.path.realpath(one) for one in roots if not is_url(one)]
        self._urls = [_parts(one) for one in roots if is_url(one)]

    def check(self, path: str) -> None:
        """Raise `InvalidSensor` for a path that is outside all of them."""
        if not self.has(path):
            raise InvalidSensor(
                f"{path} is outside the folders that sensors may read: "
                f"{', '.join(self._all) or 'none'} "
                "(setting sensor_roots)"
            )

    def has(self, path: str) -> bool:
        """Return whether a path is inside one of them."""
        if not self._is_limited:
            return True
        return self._has_url(path) if is_url(path) else self._has_local(path)

    def _has_local(self, path: str) -> bool:
        real = PurePosixPath(os.path.realpath(path))
        return any(real.is_relative_to(root) for root in self._local)

    def _has_url(self, path: str) -> bool:
        parts = _parts(path)
        if ".." in unquote("/".join(parts)).split("/"):
            return False
        return any(parts[: len(root)] == root for root in self._urls)


def _parts(url: str) -> list[str]:
    """Return the scheme and the parts of the path, without empty ones and `.`."""
    scheme, _, rest = url.partition("://")
    return [scheme.lower(), *(one for one in rest.split("/") if one not in ("", "."))]
