"""Archives of the files of a definition: equal files give equal bytes."""

import hashlib
import io
import zipfile
from collections.abc import Iterable
from pathlib import Path

import msgspec

from lineagegraph.errors import DefinitionError

MOST_BYTES = 8 * 1024 * 1024
_LONG_AGO = (1980, 1, 1, 0, 0, 0)
_UNIX = 3
_REGULAR = 0o100644
_EXECUTABLE = 0o111


class SourceArchive(msgspec.Struct, frozen=True):
    """Packed files; `sha256` is the hash of `content`, which is stored at `url` if that is set."""

    sha256: str
    content: bytes
    files: list[str]
    url: str | None = None


def pack(root: Path, files: Iterable[Path], most: int = MOST_BYTES) -> SourceArchive:
    """Pack files below a root; raise `DefinitionError` if they have more than `most` bytes.

    They stay uncompressed, because the output of zlib differs between machines.
    """
    found = {path.relative_to(root).as_posix(): path for path in files}
    _check_size(found, most)
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_STORED) as packed:
        for name, path in sorted(found.items()):
            packed.writestr(_entry(name, path), path.read_bytes())
    content = buffer.getvalue()
    return SourceArchive(hashlib.sha256(content).hexdigest(), content, sorted(found))


def contents(source: SourceArchive) -> dict[str, bytes]:
    """Return the packed files by relative path."""
    with zipfile.ZipFile(io.BytesIO(source.content)) as packed:
        return {path: packed.read(path) for path in source.files}


def unpack(content: bytes, folder: Path) -> None:
    """Unpack files into a folder, and never outside it."""
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as packed:
            if sum(info.file_size for info in packed.infolist()) > len(content):
                raise DefinitionError("the packed source unpacks to more than its own size")
            for info in packed.infolist():
                _extract(packed, info, folder)
    except zipfile.BadZipFile as error:
        raise DefinitionError(f"the packed source cannot be read: {error}") from error


def _check_size(found: dict[str, Path], most: int) -> None:
    sizes = {name: path.stat().st_size for name, path in found.items()}
    size = sum(sizes.values())
    if size > most:
        largest = max(sizes, key=lambda name: sizes[name])
        raise DefinitionError(
            f"{largest}: this is the largest of the definition's files, which have {size:,} bytes; "
            f"the limit is {most:,} (LINEAGEGRAPH_ARCHIVE_MAX_BYTES): name large files by an "
            "absolute path or URL"
        )


def _entry(name: str, path: Path) -> zipfile.ZipInfo:
    entry = zipfile.ZipInfo(name, _LONG_AGO)
    entry.create_system = _UNIX
    executable = _EXECUTABLE if path.stat().st_mode & 0o100 else 0
    entry.external_attr = (_REGULAR | executable) << 16
    return entry


def _extract(packed: zipfile.ZipFile, info: zipfile.ZipInfo, folder: Path) -> None:
    """Write one file; `ZipFile.extract` strips parts of the path that lead out of the folder."""
    written = Path(packed.extract(info, folder))
    if info.external_attr >> 16 & _EXECUTABLE:
        written.chmod(0o755)
