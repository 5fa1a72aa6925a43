"""The functions of a pipeline's tasks, kept by value."""

import hashlib
import io
import sys
import zipfile

import msgspec


class TaskCode(msgspec.Struct, frozen=True):
    """Pickled functions by path of task, for one version of Python; `sha256` is of `content`.

    `left_out` has a line for each task that could not be pickled, with the reason: such a task is
    run from the archived files. `unnamed` has the paths of those that only this has: no module has
    such a function under its name.
    """

    sha256: str
    python: str
    content: bytes
    left_out: list[str]
    unnamed: list[str]

    @property
    def is_for_this_python(self) -> bool:
        """Whether this Python can read it: bytecode is of one minor version."""
        return self.python == this_python()


def task_code(content: bytes, left_out: list[str], unnamed: list[str]) -> TaskCode:
    """Return what this Python pickled."""
    return TaskCode(hashlib.sha256(content).hexdigest(), this_python(), content, left_out, unnamed)


def this_python() -> str:
    """Return the implementation and version of this Python, as in `cpython-311`."""
    return sys.implementation.cache_tag


def read_packed(content: bytes) -> dict[str, bytes]:
    """Return packed files by relative path; nothing is nothing.

    Raises `zipfile.BadZipFile` where the bytes are damaged.
    """
    if not content:
        return {}
    with zipfile.ZipFile(io.BytesIO(content)) as packed:
        return {info.filename: packed.read(info) for info in packed.infolist()}
