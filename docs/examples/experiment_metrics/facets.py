"""How an OpenLineage facet is written: what it says, who says it, and which schema it follows."""

from typing import Any

PRODUCER = "https://example.com/experiment-metrics"


def facet(schema: str, **said: Any) -> dict[str, Any]:
    """Return a facet."""
    return {"_producer": PRODUCER, "_schemaURL": schema} | said
