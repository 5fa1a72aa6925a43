"""A project: the folder that modules are imported from."""

import os
from collections.abc import Iterable
from pathlib import Path

from lineagegraph.errors import DefinitionError

MARKERS = ("lineagegraph.toml", "pyproject.toml", ".git")
FOREIGN = frozenset({"__pycache__", "site-packages", "dist-packages", "node_modules"})


def find_root(path: Path) -> Path:
    """Return the nearest folder at or above a path that has one of `MARKERS`, or the path's own."""
    start = path.resolve() if path.is_dir() else path.resolve().parent
    for folder in (start, *start.parents):
        if any((folder / marker).exists() for marker in MARKERS):
            return folder
    return start


def is_own(file: Path, root: Path) -> bool:
    """Return whether a file belongs to the project: below the root, not hidden, not installed."""
    try:
        parts = file.relative_to(root).parts
    except ValueError:
        return False
    if any(part.startswith(".") or part in FOREIGN for part in parts):
        return False
    between = file.parents[: max(len(parts) - 1, 0)]
    # Not Path.exists, which raises an error below a folder that cannot be read.
    return not any(os.path.exists(folder / "pyvenv.cfg") for folder in between)  # noqa: PTH110


def relative_paths(files: Iterable[Path], root: Path) -> set[str]:
    """Return the paths of files relative to the root, without those that are not below it."""
    return {one.relative_to(root).as_posix() for one in files if one.is_relative_to(root)}


def module_name(file: Path, root: Path) -> str:
    """Return the name under which a file is imported from the root: `etl/nyc.py` is `etl.nyc`."""
    if not file.is_relative_to(root):
        raise DefinitionError(f"{file}: is not below the project's root {root}")
    relative = file.relative_to(root)
    parts = relative.with_suffix("").parts
    parts = parts[:-1] if parts[-1] == "__init__" else parts
    if relative.suffix != ".py" or not parts or any("." in part for part in parts):
        raise DefinitionError(
            f"{relative}: cannot be imported; name it as a Python module (letters, digits, _).py"
        )
    return ".".join(parts)


def module_file(module: str, root: Path) -> Path | None:
    """Return the file below the root that has a module's source, if there is one."""
    place = root.joinpath(*module.split("."))
    candidates = (place / "__init__.py", place.with_name(f"{place.name}.py"))
    return next((file for file in candidates if file.is_file()), None)
