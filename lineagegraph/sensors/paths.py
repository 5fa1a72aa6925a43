"""Paths in their one spelling."""

import posixpath
from glob import has_magic
from urllib.parse import unquote, urlsplit

import fsspec

from lineagegraph.errors import InvalidSensor
from lineagegraph.model.names.nearest import did_you_mean
from lineagegraph.sensors.http.addresses import checked_url, is_http
from lineagegraph.sensors.roots import is_url

_HERE = ("file", "local")


def checked_path(path: str) -> str:
    """Return a path or URL in its canonical spelling; raise `InvalidSensor` if it is invalid."""
    if not path or "\0" in path:
        raise InvalidSensor(f"path {path!r} is not a path")
    if is_http(path):
        return checked_url(path)
    if "::" in path:
        raise InvalidSensor(f"path {path}: chained file systems are not supported")
    if not is_url(path):
        return _absolute(path)
    scheme, _, rest = path.partition("://")
    if scheme.lower() in _HERE:
        host, slash, below = rest.partition("/")
        if host.lower() not in ("", "localhost"):
            raise InvalidSensor(
                f"path {path}: {host} would be a host, but the file must be on this machine or a "
                f"mount of it: write {scheme}:///data/landing"
            )
        # No URL's parts: `?` and `#` belong to the name.
        return _absolute(unquote(slash + below))
    _check_scheme(path, scheme.lower())
    return f"{scheme.lower()}://{rest.rstrip('/')}"


def is_pattern(path: str) -> bool:
    """Return whether a path is a pattern; an HTTP URL never is."""
    return has_magic(path) and not is_http(path)


def host_of(path: str) -> str:
    """Return the unit that hangs as a whole: a server, a bucket, or a possible mount."""
    if is_url(path):
        parts = urlsplit(path)
        return f"{parts.scheme}://{parts.netloc}"
    return "/".join(path.split("/")[:3])


def _absolute(path: str) -> str:
    if not path.startswith("/"):
        raise InvalidSensor(
            f"path {path}: use an absolute path such as /data/landing: the sensor process has "
            "another working folder"
        )
    # Links may make `x/../y` another place than `y`: that stays as it is said.
    parts = [part for part in path.split("/") if part not in ("", ".")]
    return posixpath.join("/", *parts)


def _check_scheme(path: str, scheme: str) -> None:
    known = sorted({*fsspec.available_protocols(), *fsspec.registry})
    if scheme not in known:
        near = did_you_mean(scheme, known)
        raise InvalidSensor(f"path {path}: no file system has the scheme {scheme}{near}")
