"""Suggestions for misspelled names."""

from collections.abc import Iterable
from difflib import get_close_matches


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """Return a hint with the nearest known name, or with all if none is near and few are known.

    It is appended to a message about the unknown name, and empty without a suggestion.
    """
    names = list(known)
    near = find_nearest(name, names)
    if near:
        return f" (did you mean {near}?)"
    return f" (known: {', '.join(names)})" if names and len(names) <= _FEW else ""


def find_nearest(name: str, known: Iterable[str]) -> str | None:
    """Return the known name that is most like a misspelled one, None if none is near."""
    return next(iter(get_close_matches(name, known, n=1, cutoff=0.6)), None)


_FEW = 30
