"""The differences between two versions of pipelines: definitions and code."""

import zipfile
from collections.abc import Iterator, Mapping
from datetime import datetime
from difflib import unified_diff
from hashlib import sha256

import msgspec

from lineagegraph.errors import ArchiveMissing, NotFound
from lineagegraph.graph import Graph
from lineagegraph.model.change import Change
from lineagegraph.model.names.named_values import list_changed
from lineagegraph.model.pipelines.definition import Pipeline
from lineagegraph.model.pipelines.definition_diff import PipelineDiff, diff_pipelines
from lineagegraph.model.pipelines.task_code import read_packed
from lineagegraph.model.typed import decode_json
from lineagegraph.settings import Settings
from lineagegraph.store.jobs.job_versions import ContentRow, list_contents
from lineagegraph.store.pipelines.archives import read_source

# Lines of more than that take long to compare, and longer to read.
_MOST_BYTES = 512 * 1024
# Each changed line can be compared with all lines.
_MOST_COMPARED = 40_000_000


class FileDiff(msgspec.Struct, frozen=True):
    """A file that was added, removed or changed: hashes and sizes, None where absent.

    `lines` are those of a unified diff; empty for binary or very long files, and for files whose
    first and last change lie thousands of lines apart.
    """

    path: str
    change: Change
    before: str | None
    after: str | None
    before_size: int | None = None
    after_size: int | None = None
    lines: tuple[str, ...] = ()


def diff_files(old: Mapping[str, bytes], new: Mapping[str, bytes]) -> Iterator[FileDiff]:
    """Yield the files that differ, by path."""
    for path, before, after in list_changed(old, new):
        yield FileDiff(
            path,
            _change(before, after),
            _hash(before),
            _hash(after),
            None if before is None else len(before),
            None if after is None else len(after),
            tuple(_lines(path, before, after)),
        )


def diff_hashes(old: Mapping[str, str], new: Mapping[str, str]) -> Iterator[FileDiff]:
    """Yield the files that differ, comparing hashes only."""
    for path, before, after in list_changed(old, new):
        yield FileDiff(path, _change(before, after), before, after)


def _change(before: object, after: object) -> Change:
    if before is None:
        return Change.ADDED
    return Change.REMOVED if after is None else Change.CHANGED


def _lines(path: str, before: bytes | None, after: bytes | None) -> Iterator[str]:
    old, new = _text(before), _text(after)
    if old is None or new is None or _takes_long(old, new):
        return
    first, second = ("/dev/null" if side is None else path for side in (before, after))
    yield from unified_diff(old, new, first, second, lineterm="")


def _takes_long(old: list[str], new: list[str]) -> bool:
    """Return whether too many lines differ between the equal ones at both ends."""
    most = min(len(old), len(new))
    start = next((n for n in range(most) if old[n] != new[n]), most)
    rest = most - start
    end = next((n for n in range(rest) if old[-1 - n] != new[-1 - n]), rest)
    return (most - start - end) * max(len(old), len(new)) > _MOST_COMPARED


def _text(content: bytes | None) -> list[str] | None:
    """Return lines without their ends, which editors change; None for binary or long files."""
    if content is None:
        return []
    if len(content) > _MOST_BYTES or b"\0" in content:
        return None
    try:
        return content.decode("utf-8-sig").splitlines()
    except UnicodeDecodeError:
        return None


def _hash(content: bytes | None) -> str | None:
    return None if content is None else sha256(content).hexdigest()


class ComparedVersion(msgspec.Struct, frozen=True):
    """A version; `job` is the FQN of its job."""

    version: str
    namespace: str
    job: str
    created_at: datetime | None
    file: str | None


class VersionDiff(msgspec.Struct, frozen=True):
    """Two versions, and the differences in their definitions and files.

    `missing` lists in words what could not be compared.
    """

    before: ComparedVersion
    after: ComparedVersion
    definition: PipelineDiff
    files: tuple[FileDiff, ...]
    missing: tuple[str, ...] = ()


def diff_versions(graph: Graph, settings: Settings, before: str, after: str) -> VersionDiff:
    """Compare two versions by their hashes; raise `NotFound` if one has no definition here."""
    found = {row.version: row for row in graph.read(list_contents, hashes=[before, after])}
    for hash_ in (before, after):
        if hash_ not in found:
            raise NotFound(f"version {hash_[:12]} has no definition here: it came from elsewhere")
    old, new = found[before], found[after]
    missing: list[str] = []
    return VersionDiff(
        _compared(old),
        _compared(new),
        diff_pipelines(_pipeline(old), _pipeline(new)),
        tuple(_files(graph, settings, old, new, missing)),
        tuple(missing),
    )


def _files(
    graph: Graph, settings: Settings, old: ContentRow, new: ContentRow, missing: list[str]
) -> Iterator[FileDiff]:
    if old.source == new.source:
        return
    contents = []
    for row in (old, new):
        try:
            contents.append(read_packed(_content(graph, settings, row)))
        except (ArchiveMissing, zipfile.BadZipFile) as error:
            missing.append(f"lines of version {row.version[:12]}: {error}")
    if missing:
        yield from diff_hashes(_hashes(old), _hashes(new))
    else:
        yield from diff_files(*contents)


def _content(graph: Graph, settings: Settings, row: ContentRow) -> bytes:
    if row.source is None or not row.files:
        return b""
    return read_source(graph, settings, row.source)


def _hashes(row: ContentRow) -> dict[str, str]:
    return dict(zip(row.files, row.file_hashes, strict=False))


def _pipeline(row: ContentRow) -> Pipeline:
    return decode_json(row.definition, into=Pipeline)


def _compared(row: ContentRow) -> ComparedVersion:
    return ComparedVersion(row.version, row.namespace, row.job, row.created_at, row.file)
