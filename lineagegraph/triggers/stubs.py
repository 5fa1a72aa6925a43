"""Jobs and datasets that are known only because triggers name them."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from lineagegraph.graph import Transaction
from lineagegraph.store.jobs.jobs import delete_empty
from lineagegraph.store.triggers.conditions import delete_datasets, list_stubs


@contextmanager
def dropping_stubs(tx: Transaction, trigger_ids: Iterable[str]) -> Iterator[None]:
    """Delete the jobs and datasets that only these triggers named, if the block takes them away.

    Otherwise a name that was misspelled once would stay in all lists.
    """
    stubs = list_stubs(tx, ids=sorted(trigger_ids))
    yield
    delete_empty(tx, keys=[one.key for one in stubs if not one.is_dataset])
    delete_datasets(tx, keys=[one.key for one in stubs if one.is_dataset])
