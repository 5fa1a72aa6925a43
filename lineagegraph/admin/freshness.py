"""Terms of freshness that people give jobs and datasets, and take away again."""

from collections.abc import Callable
from datetime import datetime

from msgspec.structs import replace

from lineagegraph.admin.source_sensor import SourceSensor, watch_source
from lineagegraph.errors import NotFound
from lineagegraph.graph import Graph, Transaction
from lineagegraph.model.actor import this_person
from lineagegraph.model.freshness.standing import Terms, checked_terms
from lineagegraph.store.admin.audit import audited
from lineagegraph.store.freshness import terms as store


def set_terms(
    graph: Graph,
    key: str,
    terms: Terms,
    *,
    source: SourceSensor | None = None,
    by: str | None = None,
    now: datetime | None = None,
    check: Callable[[Transaction], None] = lambda tx: None,
) -> None:
    """Set terms of freshness of a job or dataset by its key, over those of its definition.

    With a `source`, its sensor answers when the node was last new, and successes and writes do not
    count; `check` may refuse in the transaction. Raises `InvalidFreshness` for unusable terms.
    """
    said = replace(terms, sensor=source and source.name)
    properties = store.terms_properties(checked_terms(said))
    properties["poke_interval"] = source and source.poke_interval

    def work(tx: Transaction) -> None:
        check(tx)
        with audited(tx, "freshness.set", key):
            store.set_terms(tx, key=key, terms=properties, by=by or this_person(), now=now)
            watch_source(tx, key, source, now)

    graph.write(work)


def unset_terms(
    graph: Graph, key: str, name: str, *, check: Callable[[Transaction], None] = lambda tx: None
) -> None:
    """Remove the terms that a person set; those of the definition apply again.

    `name` is its name in errors, and `check` may refuse in the transaction. Raises `NotFound` if no
    person set terms.
    """

    def work(tx: Transaction) -> None:
        check(tx)
        stated = store.get_origin(tx, key=key)
        if stated is None:
            raise NotFound(f"{name} has no freshness terms: `lineagegraph freshness` lists them")
        if stated:
            raise NotFound(
                f"the freshness terms of {name} come from its definition: change them there"
            )
        with audited(tx, "freshness.unset", key):
            watch_source(tx, key, None, None)
            store.delete_terms(tx, key=key)

    graph.write(work)
