"""Which partitions of a dataset a subset facet lists."""

from typing import Any

import msgspec

from lineagegraph.ingest.column_facets import list_maps
from lineagegraph.model.canonical import canonical_json

# Whoever lists more than this is taken to mean all of the dataset.
_MOST_PARTITIONS = 1000


def partition_keys(subset: str | None) -> list[str] | None:
    """Return the dimensions of each partition as canonical text; None where none is listed.

    Source: BaseSubsetDatasetFacet 1-0-0, whose other conditions say nothing of partitions.
    """
    body = msgspec.json.decode(subset) if subset else None
    found = sorted({canonical_json(dimensions) for dimensions in _dimensions(body)})
    return found if 0 < len(found) <= _MOST_PARTITIONS else None


def partition_key(keys: list[str] | None) -> str:
    """Return the one partition of several keys, `*` for more, and nothing for all of a dataset."""
    if keys is None:
        return ""
    return keys[0] if len(keys) == 1 else "*"


def _dimensions(body: Any) -> list[dict[str, Any]]:
    facet = body if isinstance(body, dict) else {}
    condition = facet.get("inputCondition") or facet.get("outputCondition")
    if not isinstance(condition, dict) or condition.get("type") != "partition":
        return []
    found = (partition.get("dimensions") for partition in list_maps(condition.get("partitions")))
    return [dimensions for dimensions in found if isinstance(dimensions, dict) and dimensions]
