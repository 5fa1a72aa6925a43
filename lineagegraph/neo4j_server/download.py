"""One file from an HTTP server: resumed, verified against its sha256, and put in place whole."""

import errno
import hashlib
from collections.abc import Callable
from http import HTTPStatus
from http.client import HTTPException, HTTPResponse
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import Request, urlopen

from tenacity import Retrying, retry_if_exception, stop_after_attempt, wait_random_exponential

from lineagegraph.errors import DownloadFailed
from lineagegraph.neo4j_server.lock import Artifact

_CHUNK = 1 << 18
_ATTEMPTS = 4
_TIMEOUT_SECONDS = 30.0
_PASSING = {
    HTTPStatus.REQUEST_TIMEOUT,
    HTTPStatus.REQUESTED_RANGE_NOT_SATISFIABLE,
    HTTPStatus.TOO_MANY_REQUESTS,
}
_STAYING = {errno.ENOSPC, errno.EACCES, errno.EROFS, errno.EDQUOT}

Received = Callable[[int], None]
"""Told how many bytes of the file are there; fewer than before where it is begun again."""


class _NotAsLocked(Exception):
    """The downloaded bytes do not match the sha256 of the lock."""


def intact(file: Path, artifact: Artifact) -> bool:
    """Return whether `file` exists and matches the lock."""
    try:
        if file.stat().st_size != artifact.size:
            return False
        with file.open("rb") as content:
            return hashlib.file_digest(content, "sha256").hexdigest() == artifact.sha256
    except FileNotFoundError:
        return False


def download(url: str, target: Path, artifact: Artifact, received: Received) -> None:
    """Fetch `url` to `target`, going on from an earlier attempt's `.part` file."""
    part = target.with_name(target.name + ".part")
    target.parent.mkdir(parents=True, exist_ok=True)
    retrying = Retrying(
        stop=stop_after_attempt(_ATTEMPTS),
        wait=wait_random_exponential(multiplier=0.5, max=8),
        retry=retry_if_exception(_may_pass),
        reraise=True,
    )
    try:
        retrying(_attempt, url, part, artifact, received)
        part.replace(target)
    except (OSError, HTTPException, _NotAsLocked) as error:
        raise DownloadFailed(_said(error, url, target)) from error


def _attempt(url: str, part: Path, artifact: Artifact, received: Received) -> None:
    _receive(url, part, artifact, received)
    if part.stat().st_size < artifact.size:
        raise ConnectionError("the connection ended early")
    if not intact(part, artifact):
        part.unlink()
        raise _NotAsLocked("the sha256 of the download differs from the lock")


def _receive(url: str, part: Path, artifact: Artifact, received: Received) -> None:
    start = part.stat().st_size if part.exists() else 0
    if start >= artifact.size:
        return
    request = Request(url, headers={"Range": f"bytes={start}-"})
    try:
        with (
            urlopen(request, timeout=_TIMEOUT_SECONDS) as response,
            part.open("ab" if _goes_on(response, start) else "wb") as file,
        ):
            while chunk := response.read(_CHUNK):
                file.write(chunk)
                received(file.tell())
    except HTTPError as error:
        if error.code == HTTPStatus.REQUESTED_RANGE_NOT_SATISFIABLE:
            part.unlink(missing_ok=True)
        raise


def _goes_on(response: HTTPResponse, start: int) -> bool:
    content_range = response.headers.get("Content-Range", "")
    return response.status == 206 and content_range.startswith(f"bytes {start}-")


def _may_pass(error: BaseException) -> bool:
    if isinstance(error, HTTPError):
        return error.code in _PASSING or error.code >= HTTPStatus.INTERNAL_SERVER_ERROR
    if isinstance(error, OSError) and error.errno in _STAYING:
        return False
    return isinstance(error, OSError | HTTPException | _NotAsLocked)


def _said(error: Exception, url: str, target: Path) -> str:
    if isinstance(error, OSError) and error.errno in _STAYING:
        return (
            f"{target.parent}: {error.strerror}; free some space there, or set LINEAGEGRAPH_CACHE"
        )
    return (
        f"{url}: {error}; check the network, or name a Maven repository that this machine "
        "reaches in LINEAGEGRAPH_MAVEN_REPOSITORY"
    )
