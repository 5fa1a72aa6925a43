"""Suggestions for misspelled names."""

from collections.abc import Iterable
from difflib import get_close_matches


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """Return a hint with the nearest known name, or with all if none is near and few are known.

    It is appended to a message about the unknown name, and empty without a suggestion.
    """
    names = list(known)
    near = get_close_matches(name, names, n=1, cutoff=0.6)
    if near:
        return f" (did you mean {near[0]}?)"
    return f" (known: {', '.join(names)})" if names and len(names) <= _FEW else ""


_FEW = 30
