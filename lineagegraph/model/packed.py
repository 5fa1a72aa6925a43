"""The files of a definition, as they are packed with its versions."""

import io
import zipfile


def read_packed(content: bytes) -> dict[str, bytes]:
    """Return packed files by relative path; nothing is nothing.

    Raises `zipfile.BadZipFile` where the bytes are damaged.
    """
    if not content:
        return {}
    with zipfile.ZipFile(io.BytesIO(content)) as packed:
        return {info.filename: packed.read(info) for info in packed.infolist()}
