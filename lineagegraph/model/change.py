"""Kinds of changes between two states."""

from enum import StrEnum


class Change(StrEnum):
    """The kind of a change between two states."""

    ADDED = "ADDED"
    REMOVED = "REMOVED"
    CHANGED = "CHANGED"
    SAME = "SAME"
