"""The functions of a pipeline's tasks, pickled by value."""

import hashlib
import io
import sys
import zipfile

import msgspec

TASK_CODE = "functions of tasks"
"""The purpose of its signature."""


class TaskCode(msgspec.Struct, frozen=True):
    """Pickled functions by path of task, for one version of Python; `sha256` is of `content`.

    Loading it executes it, so `signature` is checked first.

    `left_out` has a line for each task that could not be pickled, with the reason: such a task runs
    from the archived files. `unnamed` has the paths of functions that exist only here: no module
    has them under their names.
    """

    sha256: str
    python: str
    content: bytes
    left_out: list[str]
    unnamed: list[str]
    signature: str | None = None

    @property
    def signed(self) -> bytes:
        """Return what the signature covers."""
        return self.python.encode() + b"\0" + self.content

    @property
    def is_for_this_python(self) -> bool:
        """Return whether this Python can load it: bytecode is specific to a minor version."""
        return self.python == this_python()


def task_code(content: bytes, left_out: list[str], unnamed: list[str]) -> TaskCode:
    """Return the code that this Python pickled."""
    return TaskCode(hashlib.sha256(content).hexdigest(), this_python(), content, left_out, unnamed)


def this_python() -> str:
    """Return the implementation and version of this Python, such as `cpython-311`."""
    return sys.implementation.cache_tag


def read_packed(content: bytes) -> dict[str, bytes]:
    """Return packed files by relative path; nothing is nothing.

    Raises `zipfile.BadZipFile` where the bytes are damaged.
    """
    if not content:
        return {}
    with zipfile.ZipFile(io.BytesIO(content)) as packed:
        return {info.filename: packed.read(info) for info in packed.infolist()}
