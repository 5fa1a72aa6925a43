"""Choice of a batch in a file, for the command line."""

from collections.abc import Mapping
from pathlib import Path
from typing import TypeVar

from lineagegraph.errors import DefinitionError

T = TypeVar("T")


def choose_batch(file: Path, batches: Mapping[str, T], name: str | None) -> T:
    """Return the only batch or the one of that name; raise `DefinitionError` if there is none."""
    found = [one for known, one in batches.items() if name in (None, known)]
    if len(found) == 1:
        return found[0]
    names = ", ".join(batches) or "none"
    raise DefinitionError(f"{file} has several batches ({names}): choose one with --batch")
