"""The packed files of definitions: small ones in the graph, large ones at a URL."""

import hashlib

import msgspec

from lineagegraph.errors import ArchiveMissing
from lineagegraph.graph import Graph, Transaction, bound
from lineagegraph.settings import Settings
from lineagegraph.store.pipelines.archive_files import archive_url, base_url, read_file, write_file


class Archive(msgspec.Struct, frozen=True):
    """Packed files, or their URL; neither if they are deleted."""

    archive: bytes | None
    url: str | None


def read_source(graph: Graph, settings: Settings, sha256: str) -> bytes:
    """Return packed files by their hash.

    Raises `ArchiveMissing` if they are deleted, unreadable or changed.
    """
    found = graph.read(get_archive, sha256=sha256)
    if found is None or (found.archive is None and found.url is None):
        raise ArchiveMissing(f"the archived code {sha256[:12]} is no longer kept")
    content = found.archive if found.url is None else _read(found.url, settings, sha256)
    if content is None or hashlib.sha256(content).hexdigest() != sha256:
        where = found.url or "in the graph"
        raise ArchiveMissing(f"the archived code {sha256[:12]} ({where}) is damaged")
    return content


def keep_source(settings: Settings, sha256: str, content: bytes) -> Archive:
    """Store packed files too large for the graph at a URL; return the part for the graph.

    Call it before the transaction that names them: a file that nothing names is deleted later.
    """
    if len(content) <= settings.archive_graph_bytes:
        return Archive(content, None)
    url = archive_url(base_url(settings), sha256)
    write_file(url, content)
    return Archive(None, url)


def _read(url: str, settings: Settings, sha256: str) -> bytes:
    """Read from the stored URL, or from the URL of the current settings: folders are moved."""
    try:
        return read_file(url)
    except ArchiveMissing:
        now = archive_url(base_url(settings), sha256)
        if now == url:
            raise
        return read_file(now)


@bound
def get_archive(tx: Transaction, *, sha256: str) -> Archive | None: ...
