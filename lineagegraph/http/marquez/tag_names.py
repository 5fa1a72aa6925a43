"""The tags of a job, dataset or column: those attached here, and those in facets."""

from collections.abc import Iterable

import msgspec

from lineagegraph.model.typed import decode_json
from lineagegraph.queries.runs.run_details import Facets


class _Tag(msgspec.Struct):
    key: str
    value: str = "true"
    field: str | None = None

    @property
    def name(self) -> str:
        return self.key if self.value == "true" else f"{self.key}:{self.value}"


class _Tags(msgspec.Struct):
    tags: list[_Tag] = []


def tag_names(attached: Iterable[str], facets: Facets, field: str | None = None) -> list[str]:
    """Return the names of tags in order; `field` is the column that is meant, if it is one."""
    said = (tag.name for tag in _said(facets) if tag.field == field)
    return sorted({*attached, *said})


def _said(facets: Facets) -> list[_Tag]:
    if "tags" not in facets:
        return []
    try:
        return decode_json(facets["tags"], into=_Tags).tags
    except msgspec.DecodeError:
        return []
