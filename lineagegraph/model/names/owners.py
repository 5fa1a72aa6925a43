"""The names of owners, from OpenLineage's facet `ownership`."""

from typing import Any

import msgspec

Owners = tuple[str, ...]


def read_owners(facet: bytes | str | msgspec.Raw | None) -> Owners:
    """Return the owners in the JSON of a facet, which may have any shape, as producers send it."""
    body: Any = msgspec.json.decode(facet) if facet else None
    listed = body.get("owners") if isinstance(body, dict) else None
    return tuple(
        str(one["name"])
        for one in (listed if isinstance(listed, list) else ())
        if isinstance(one, dict) and one.get("name")
    )
