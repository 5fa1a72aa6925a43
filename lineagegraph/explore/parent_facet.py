"""The facet in which a run named its parent, as OpenLineage has it."""

import msgspec

from lineagegraph.model.producer import PRODUCER
from lineagegraph.store.details import ParentRow

_SCHEMA = "https://openlineage.io/spec/facets/1-1-0/ParentRunFacet.json#/$defs/ParentRunFacet"


def parent_facet(parent: ParentRow) -> msgspec.Raw:
    """Return the facet; ingest keeps a relationship in its place."""
    body = {
        "_producer": PRODUCER,
        "_schemaURL": _SCHEMA,
        "run": {"runId": parent.id},
        "job": {"namespace": parent.namespace, "name": parent.name},
    }
    return msgspec.Raw(msgspec.json.encode(body))
