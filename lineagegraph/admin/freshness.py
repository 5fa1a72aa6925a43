"""Terms of freshness that people give jobs and datasets, and take away again."""

from datetime import datetime

from lineagegraph.admin.variables import this_person
from lineagegraph.errors import NotFound
from lineagegraph.graph import Graph, Transaction
from lineagegraph.model.freshness.standing import Terms, checked_terms
from lineagegraph.store.freshness import terms as store


def set_terms(
    graph: Graph, key: str, terms: Terms, *, by: str | None = None, now: datetime | None = None
) -> None:
    """Say what is expected of the job or dataset of a key, whatever its definition states.

    Raises `InvalidFreshness` for terms that nothing can be judged by.
    """
    properties = store.terms_properties(checked_terms(terms))
    graph.write(store.set_terms, key=key, terms=properties, by=by or this_person(), now=now)


def unset_terms(graph: Graph, key: str, name: str) -> None:
    """Take away what people expect of a job or dataset; what its definition states holds again.

    `name` is what it is called in errors. Raises `NotFound` where people set nothing.
    """

    def work(tx: Transaction) -> None:
        stated = store.get_origin(tx, key=key)
        if stated is None:
            raise NotFound(f"{name} has no terms of freshness: `lineagegraph freshness` lists them")
        if stated:
            raise NotFound(f"the terms of {name} are those of its definition: change them there")
        store.delete_terms(tx, key=key)

    graph.write(work)
