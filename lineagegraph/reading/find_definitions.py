"""The definition files of a project."""

from pathlib import Path

from lineagegraph.authoring.batch_files.recognise import SUFFIX, is_batch_file
from lineagegraph.authoring.project import is_own
from lineagegraph.errors import NotFound


def find_definitions(path: Path) -> list[Path]:
    """Return a file itself, or a folder's batch files and Python that mentions lineagegraph."""
    if path.is_file():
        return [path.resolve()]
    if not path.is_dir():
        raise NotFound(f"{path}: no such file or folder")
    folder = path.resolve()
    files = sorted({*folder.rglob("*.py"), *folder.rglob(f"*{SUFFIX}")})
    return [file for file in files if is_own(file, folder) and _is_definition(file)]


def _is_definition(file: Path) -> bool:
    if file.suffix == SUFFIX:
        return is_batch_file(file)
    return b"lineagegraph" in file.read_bytes()
