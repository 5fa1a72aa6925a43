"""The known name that somebody may have meant."""

from collections.abc import Iterable
from difflib import get_close_matches


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """Return words that tell the nearest known name, or all where none is near and few are known.

    They are to follow what is said of the unknown one; empty where there is nothing to tell.
    """
    names = list(known)
    near = get_close_matches(name, names, n=1, cutoff=0.6)
    if near:
        return f" (did you mean {near[0]}?)"
    return f" (known: {', '.join(names)})" if names and len(names) <= _FEW else ""


_FEW = 30
