"""An entry of a file system."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Entry:
    """A file or folder; without a time if its file system has none."""

    path: str
    is_folder: bool
    size: int
    changed_at: float | None
