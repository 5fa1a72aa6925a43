"""Events and facets that this program states itself."""

from datetime import datetime
from typing import Any

from lineagegraph.model.runs.ids import PRODUCER

_SPEC = "https://openlineage.io/spec"


def make_event(kind: str, at: datetime) -> dict[str, Any]:
    """Return what each event has; `kind` is its name in the schema, such as `JobEvent`."""
    return {
        "eventTime": at.isoformat(timespec="microseconds"),
        "producer": PRODUCER,
        "schemaURL": f"{_SPEC}/2-0-2/OpenLineage.json#/$defs/{kind}",
    }


def make_facet(which: str, **said: Any) -> dict[str, Any]:
    """Return a facet of the specification; `which` is such as `1-1-0/DocumentationJobFacet`."""
    url = f"{_SPEC}/facets/{which}.json#/$defs/{which.partition('/')[2]}"
    return {"_producer": PRODUCER, "_schemaURL": url, **said}
