"""Terms of freshness that people give jobs and datasets, and take away again."""

from datetime import datetime

from lineagegraph.errors import NotFound
from lineagegraph.graph import Graph, Transaction
from lineagegraph.model.actor import this_person
from lineagegraph.model.freshness.standing import Terms, checked_terms
from lineagegraph.store.admin.audit import audited
from lineagegraph.store.freshness import terms as store


def set_terms(
    graph: Graph, key: str, terms: Terms, *, by: str | None = None, now: datetime | None = None
) -> None:
    """Set terms of freshness of a job or dataset by its key, over those of its definition.

    Raises `InvalidFreshness` for unusable terms.
    """
    properties = store.terms_properties(checked_terms(terms))

    def work(tx: Transaction) -> None:
        with audited(tx, "freshness.set", key):
            store.set_terms(tx, key=key, terms=properties, by=by or this_person(), now=now)

    graph.write(work)


def unset_terms(graph: Graph, key: str, name: str) -> None:
    """Remove the terms that a person set; those of the definition apply again.

    `name` is its name in errors. Raises `NotFound` if no person set terms.
    """

    def work(tx: Transaction) -> None:
        stated = store.get_origin(tx, key=key)
        if stated is None:
            raise NotFound(f"{name} has no freshness terms: `lineagegraph freshness` lists them")
        if stated:
            raise NotFound(
                f"the freshness terms of {name} come from its definition: change them there"
            )
        with audited(tx, "freshness.unset", key):
            store.delete_terms(tx, key=key)

    graph.write(work)
