"""Faults of other names of datasets in an event, which are taken and not followed."""

from collections.abc import Collection, Iterator
from typing import Any

from lineagegraph.http.ingest.facet_check import FacetReport
from lineagegraph.ingest.other_names import MOST_SYMLINKS, list_previous, list_symlinks
from lineagegraph.ingest.same_data import MOST_SAME
from lineagegraph.model.names.keys import dataset_key
from lineagegraph.openlineage.objects import own_part


def list_name_faults(event: dict[str, Any]) -> list[FacetReport]:
    """Return the facets of a valid event that have too many symlinks."""
    found = ((path, len(list(list_symlinks(facets)))) for path, _, facets in _described(event))
    return [
        FacetReport(
            f"{path}.symlinks.identifiers",
            f"{count} symlinks, more than {MOST_SYMLINKS}: none of them is followed",
        )
        for path, count in found
        if count > MOST_SYMLINKS
    ]


def list_crowded(event: dict[str, Any], crowded: Collection[str]) -> list[FacetReport]:
    """Return the facets that connect too many names of one dataset, once the event is recorded."""
    message = f"the names of this dataset connect more than {MOST_SAME}: none of them is followed"
    return [
        FacetReport(path, message)
        for path, key, facets in (_described(event) if crowded else ())
        if key in crowded and any((*list_symlinks(facets), *list_previous(facets)))
    ]


def _described(event: dict[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Yield JSON path, dataset key and facets of each description of a dataset."""
    own = own_part(event)
    places = [("$.dataset", own.get("dataset") or {})]
    for member in ("inputs", "outputs"):
        places += ((f"$.{member}[{n}]", one) for n, one in enumerate(own.get(member) or ()))
    for path, one in places:
        if facets := one.get("facets"):
            yield f"{path}.facets", dataset_key(one["namespace"], one["name"]), facets
