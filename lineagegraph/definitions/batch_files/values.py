"""Values of keys that may be missing."""

from collections.abc import Mapping
from typing import Any

from lineagegraph.definitions.batch_files.node import Node


def text(members: Mapping[str, Node], key: str) -> str | None:
    """Return the text of a key, if it is there."""
    return members[key].text() if key in members else None


def texts(members: Mapping[str, Node], key: str) -> list[str]:
    """Return the list of texts of a key, or the one text that it has; none if it is missing."""
    if key not in members:
        return []
    node = members[key]
    return [node.text()] if isinstance(node.value, str) else node.texts()


def plain(members: Mapping[str, Node], key: str, otherwise: Any = None) -> Any:
    """Return what a key has, to be looked at elsewhere."""
    return members[key].plain() if key in members else otherwise


def entries(members: Mapping[str, Node], key: str) -> dict[str, Any]:
    """Return the object of a key, whose keys may be any; an empty one if it is missing."""
    if key not in members:
        return {}
    return {name: one.plain() for name, one in members[key].entries().items()}
