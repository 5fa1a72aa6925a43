"""The names of owners, from OpenLineage's facet `ownership`."""

from typing import Any

import msgspec

from lineagegraph.queries.runs.run_details import Facets

Owners = tuple[str, ...]


def owners_in(facets: Facets) -> Owners:
    """Return the owners in a facet; its content may have any shape, as producers send it."""
    body: Any = msgspec.json.decode(facets["ownership"]) if "ownership" in facets else None
    listed = body.get("owners") if isinstance(body, dict) else None
    return tuple(
        str(one["name"])
        for one in (listed if isinstance(listed, list) else ())
        if isinstance(one, dict) and one.get("name")
    )
