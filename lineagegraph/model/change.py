"""How what is after differs from what was before."""

from enum import StrEnum


class Change(StrEnum):
    """How what is after differs from what was before."""

    ADDED = "ADDED"
    REMOVED = "REMOVED"
    CHANGED = "CHANGED"
    SAME = "SAME"
