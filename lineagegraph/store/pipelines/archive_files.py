"""Archives as files: in a folder, or wherever fsspec reaches."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from uuid import uuid4

from fsspec.core import url_to_fs

from lineagegraph.errors import ArchiveMissing
from lineagegraph.settings import Settings

SUFFIX = ".zip"


def base_url(settings: Settings) -> str:
    """Return the folder or URL that large archives are kept below."""
    return settings.archive_url or str(settings.home / "archives")


def archive_url(base: str, sha256: str) -> str:
    """Return the URL of an archive."""
    if "://" not in base:
        # Not quoted as a URL: fsspec takes a local path as it is.
        base = f"file://{Path(base).absolute()}"
    return f"{base.rstrip('/')}/{sha256[:2]}/{sha256}{SUFFIX}"


def write_file(url: str, content: bytes) -> None:
    """Write a file whole or not at all; an existing one is replaced."""
    with _said(url, "cannot be written"):
        files, path = url_to_fs(url)
        files.makedirs(files._parent(path), exist_ok=True)
        partial = f"{path}.{uuid4().hex}.part"
        try:
            files.pipe_file(partial, content)
            files.mv(partial, path)
        except BaseException:
            # It would keep a full disk full.
            with suppress(Exception):
                files.rm_file(partial)
            raise


def read_file(url: str) -> bytes:
    """Return a file; raise `ArchiveMissing` if it cannot be read."""
    with _said(url, "cannot be read"):
        files, path = url_to_fs(url)
        content: bytes = files.cat_file(path)
        return content


def list_files(base: str) -> list[tuple[str, datetime]]:
    """Return the URLs of all that is kept below a folder or URL, and when each was written."""
    with _said(base, "cannot be listed"):
        files, path = url_to_fs(archive_url(base, "").rsplit("/", 2)[0])
        if not files.exists(path):
            return []
        found = files.find(path, detail=True).items()
        return sorted((files.unstrip_protocol(name), _written(files, name)) for name, _ in found)


def delete_file(url: str) -> None:
    """Delete a file; one that is gone is no error."""
    with _said(url, "cannot be deleted"):
        files, path = url_to_fs(url)
        if files.exists(path):
            files.rm_file(path)


def _written(files: Any, name: str) -> datetime:
    at: datetime = files.modified(name)
    return at if at.tzinfo else at.replace(tzinfo=UTC)


@contextmanager
def _said(url: str, what: str) -> Iterator[None]:
    """Return an error in one line; each kind of store has its own errors."""
    try:
        yield
    except Exception as error:
        told = str(error) or type(error).__name__
        raise ArchiveMissing(f"archive {url} {what}: {told}") from error
