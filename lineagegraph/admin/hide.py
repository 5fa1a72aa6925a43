"""Jobs, datasets and namespaces hidden from all reads, until an event names them again."""

from functools import partial

from lineagegraph.graph import Graph, Transaction
from lineagegraph.store.admin import hiding
from lineagegraph.store.admin.audit import make_audited


def hide_job(tx: Transaction, key: str) -> None:
    """Hide the job of a key, and none of those below it."""
    make_audited(tx, "job.hide", key, partial(hiding.set_job, key=key, now=None))


def hide_dataset(graph: Graph, key: str) -> None:
    """Hide the dataset of a key."""
    change = partial(hiding.set_dataset, key=key, now=None)
    graph.write(make_audited, "dataset.hide", key, change)


def has_triggers(tx: Transaction, namespace: str, inherit: bool) -> bool:
    """Return whether a trigger starts, or waits for, a job that is hidden with a namespace."""
    return bool(hiding.list_ruled(tx, name=namespace, inherit=inherit))


def hide_namespace(tx: Transaction, name: str, inherit: bool) -> None:
    """Hide a namespace, its datasets, and its jobs: its own, and those that are served in it."""
    change = partial(hiding.set_namespace, name=name, inherit=inherit, now=None)
    make_audited(tx, "namespace.hide", name, change)
