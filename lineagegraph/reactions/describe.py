"""Descriptions and owners that a person states: an event, as producers of lineage send them."""

from collections.abc import Sequence
from typing import Any

from lineagegraph.graph import Transaction
from lineagegraph.ingest.extract import extract
from lineagegraph.openlineage.compose import make_event, make_facet
from lineagegraph.reactions.commit import commit
from lineagegraph.store.admin.clock import get_time


def describe_node(
    tx: Transaction,
    named: tuple[str, str],
    *,
    is_job: bool,
    description: str | None = None,
    owners: Sequence[str] | None = None,
    author: str | None = None,
) -> None:
    """State the description and owners of a job or dataset, by its namespace and name.

    None leaves what is known; an empty one takes it away. A later event may state others.
    """
    kind = "Job" if is_job else "Dataset"
    facets: dict[str, Any] = {}
    if description is not None:
        text = {"description": description} if description else None
        facets["documentation"] = _facet(f"1-1-0/Documentation{kind}Facet", text)
    if owners is not None:
        named_owners = {"owners": [{"name": name} for name in owners]} if owners else None
        facets["ownership"] = _facet(f"1-0-1/Ownership{kind}Facet", named_owners)
    event = make_event(f"{kind}Event", get_time(tx))
    event[kind.lower()] = {"namespace": named[0], "name": named[1], "facets": facets}
    commit(tx, extract([event], author=author), own=False)


def _facet(which: str, said: dict[str, Any] | None) -> dict[str, Any]:
    return make_facet(which, **(said or {"_deleted": True}))
