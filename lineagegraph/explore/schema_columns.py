"""The columns that a schema facet names."""

from functools import lru_cache

import msgspec

from lineagegraph.ingest.column_facets import list_columns
from lineagegraph.store.details import FieldRow


@lru_cache(maxsize=4096)
def schema_columns(body: str) -> tuple[FieldRow, ...]:
    """Return the columns of a schema facet, each once; thousands of versions share its text."""
    columns = dict(list_columns(msgspec.json.decode(body)))
    return tuple(FieldRow(name, kind) for name, kind in columns.items())
