"""Long paths, shortened for printing."""

from pathlib import Path
from typing import Any

import msgspec


def shorten(found: Any, folder: Path) -> Any:
    """Return a value from the graph with the paths in it relative to a folder."""
    if isinstance(found, str):
        return found.replace(f"{folder}/", "")
    if isinstance(found, list | tuple):
        return type(found)(shorten(item, folder) for item in found)
    if isinstance(found, msgspec.Struct):
        values = msgspec.structs.asdict(found)
        changed = {name: shorten(value, folder) for name, value in values.items()}
        return msgspec.structs.replace(found, **changed)
    return found
