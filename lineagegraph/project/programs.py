"""The project's programs that a command names, and the files that these use in turn."""

import re
import shlex
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path

from lineagegraph.errors import RunError
from lineagegraph.project.imports import imported_by, with_used
from lineagegraph.project.root import is_own

_SUFFIXES = frozenset(
    {".py", ".sh", ".bash", ".zsh", ".ksh", ".sql", ".hql", ".r", ".jl", ".js", ".mjs", ".ts"}
    | {".rb", ".pl", ".php", ".lua", ".scala", ".groovy", ".jar", ".awk", ".sed"}
)
_EXECUTABLE = 0o100
_MOST_TEXT = 1_000_000
_MOST_NAME = 1024
_WORDS = re.compile(r"[\w./+-]+")


def programs_of(commands: Iterable[Sequence[str]], root: Path) -> set[Path]:
    """Return the programs of a project that commands name, and all that these use."""
    named = {file for command in commands for file in _named(command, root, root)}
    return with_used(named, partial(_used, top=root))


def kept_command(command: Sequence[str], code: Path, root: Path) -> list[str]:
    """Return a command that runs the programs of `code`, the unpacked files of a version.

    While the project at `root` has the same files, the command stays. Otherwise the programs that
    are arguments of their own are taken from `code`, with the modules that they import. Raises
    `RunError` for other files that differ, as the command would find them in the project.
    """
    code = code.resolve()
    used = with_used(_named(command, code, root), partial(_used, top=code))
    changed = sorted(file for file in used if _differs(file, code, root))
    if not changed:
        return list(command)
    own = {word: file for word in command if (file := _file(word, code, code, root))}
    held = with_used(own.values(), partial(_imports, top=code))
    for file in changed:
        if file not in held:
            raise RunError(
                f"{file.relative_to(code)} differs from the file of the run's version, and "
                f"`{shlex.join(command)}` would use it from {root}: restore it there, or run the "
                "version of today"
            )
    return [str(own.get(word, word)) for word in command]


def _named(command: Sequence[str], top: Path, root: Path) -> Iterator[Path]:
    """Yield the programs that are words of a command, follow `-m`, or are named in its code."""
    for before, word in zip(("", *command), command, strict=False):
        if file := _file(word, top, top, root):
            yield file
        elif before == "-m":
            yield from imported_by(f"import {word}", top)
        else:
            yield from _mentioned(word, (top,), top)


def _used(file: Path, top: Path) -> Iterator[Path]:
    yield from _imports(file, top)
    yield from _mentioned(_text(file), (top, file.parent), top)


def _imports(file: Path, top: Path) -> Iterator[Path]:
    """Yield the modules that a Python program imports from its own folder, or from the top one."""
    if file.suffix == ".py":
        for folder in (file.parent, top):
            yield from (one for one in imported_by(_text(file), folder) if is_own(one, top))


def _mentioned(text: str, folders: Iterable[Path], top: Path) -> Iterator[Path]:
    names = {word.rstrip(".") for word in _WORDS.findall(text) if "." in word or "/" in word}
    yield from (file for in_ in folders for name in names if (file := _file(name, in_, top, top)))


def _file(word: str, folder: Path, top: Path, root: Path) -> Path | None:
    """Return the program that a word names in a folder, or by its absolute path in the root."""
    if not word or "\0" in word or len(word) >= _MOST_NAME:
        return None
    path = Path(word)
    if path.is_absolute():
        if not path.is_relative_to(root):
            return None
        folder, path = top, path.relative_to(root)
    file = (folder / path).resolve()
    return file if is_own(file, top) and _is_program(file) else None


def _is_program(file: Path) -> bool:
    if not file.is_file():
        return False
    return file.suffix.lower() in _SUFFIXES or bool(file.stat().st_mode & _EXECUTABLE)


def _differs(file: Path, code: Path, root: Path) -> bool:
    today = root / file.relative_to(code)
    return not today.is_file() or today.read_bytes() != file.read_bytes()


def _text(file: Path) -> str:
    if file.stat().st_size > _MOST_TEXT:
        return ""
    text = file.read_text(encoding="utf-8", errors="replace")
    return "" if "\0" in text else text
