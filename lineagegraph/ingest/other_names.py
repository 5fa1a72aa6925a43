"""Other names of datasets in events: the facet `symlinks`, and renames in `lifecycleStateChange`.

Sources: SymlinksDatasetFacet 1-0-1 and LifecycleStateChangeDatasetFacet 1-0-1.
"""

from collections.abc import Iterator
from typing import Any, Literal

from lineagegraph.ingest.column_facets import list_maps
from lineagegraph.ingest.names import is_name
from lineagegraph.model.names.keys import dataset_key
from lineagegraph.model.runs.facts import OtherName, TimeSpan
from lineagegraph.openlineage.events import Facets

MOST_SYMLINKS = 20


def list_other_names(namespace: str, name: str, facets: Facets, at: str) -> dict[str, OtherName]:
    """Return the other names in the facets of a dataset, by kind and key.

    Of a facet with more than `MOST_SYMLINKS` identifiers none counts, nor an invalid name.
    """
    symlinks = list(list_symlinks(facets))
    stated: list[tuple[Literal["symlink", "rename"], dict[str, Any]]] = [
        *(("symlink", one) for one in symlinks if len(symlinks) <= MOST_SYMLINKS),
        *(("rename", one) for one in list_previous(facets)),
    ]
    found = {}
    for kind, one in stated:
        other = one.get("namespace"), one.get("name")
        if all(map(is_name, other)) and other != (namespace, name):
            named = OtherName(str(other[0]), str(other[1]), kind, TimeSpan(at, at))
            found[f"{kind}:{dataset_key(named.namespace, named.name)}"] = named
    return found


def unlinked_at(facets: Facets, at: str) -> str:
    """Return the time if the event deletes the symlinks of the dataset."""
    symlinks = facets.get("symlinks")
    return at if isinstance(symlinks, dict) and symlinks.get("_deleted") is True else ""


def list_symlinks(facets: Facets) -> Iterator[dict[str, Any]]:
    """Yield the identifiers of a symlinks facet."""
    symlinks = facets.get("symlinks")
    yield from list_maps(symlinks.get("identifiers") if isinstance(symlinks, dict) else None)


def list_previous(facets: Facets) -> Iterator[dict[str, Any]]:
    """Yield the earlier identifier of a dataset that was renamed."""
    change = facets.get("lifecycleStateChange")
    if isinstance(change, dict) and change.get("lifecycleStateChange") == "RENAME":
        yield from list_maps([change.get("previousIdentifier")])
