"""An entry of a file system."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Entry:
    """A file or folder; without a time or size if its file system or server has none."""

    path: str
    is_folder: bool
    size: int | None
    changed_at: float | None
