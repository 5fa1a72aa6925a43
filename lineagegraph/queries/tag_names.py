"""The tags of a job, dataset or column: those attached here, and those in facets."""

from collections.abc import Iterable, Iterator
from typing import Any

import msgspec

from lineagegraph.model.names.keys import canonical_json
from lineagegraph.model.typed import decode_json
from lineagegraph.queries.runs.run_details import Facets


class _Tag(msgspec.Struct):
    key: str
    value: Any = "true"
    field: str | None = None

    @property
    def name(self) -> str:
        value = self.value if isinstance(self.value, str) else canonical_json(self.value)
        return self.key if value == "true" else f"{self.key}:{value}"


class _Tags(msgspec.Struct):
    tags: list[msgspec.Raw] = []


def tag_names(attached: Iterable[str], facets: Facets, field: str | None = None) -> list[str]:
    """Return the names of tags in order; `field` is the column that is meant, if it is one."""
    said = (tag.name for tag in _said(facets) if tag.field == field)
    return sorted({*attached, *said})


def _said(facets: Facets) -> Iterator[_Tag]:
    """Yield the tags of a facet; those without a text as key are left out, one by one."""
    if "tags" not in facets:
        return
    try:
        tags = decode_json(facets["tags"], into=_Tags).tags
    except msgspec.DecodeError:
        return
    for tag in tags:
        try:
            yield decode_json(tag, into=_Tag)
        except msgspec.DecodeError:
            continue
