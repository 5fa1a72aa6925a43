"""Resolution of a namespace and name, from a URL or a node id, to a job.

A job is served under its FQN and the namespace of its topmost ancestor, or its own if namespaces
are not inherited. Every other name that it has or had leads there.
"""

from collections.abc import Iterable, Iterator
from itertools import islice
from uuid import UUID

import msgspec

from lineagegraph.errors import NotFound
from lineagegraph.graph import Graph, Transaction
from lineagegraph.model.names.keys import Alias, alias_key, dataset_key
from lineagegraph.store.jobs.addresses import (
    AddressedJob,
    list_addressed_datasets,
    list_addressed_jobs,
    list_twins,
)


class Address(msgspec.Struct, frozen=True):
    """The address of a job; a job with a twin shares its namespace and FQN with another."""

    key: str
    namespace: str
    name: str
    has_twin: bool = False


class Resolution(msgspec.Struct, frozen=True):
    """The jobs that a name may mean; `is_exact` if it is the address of exactly one job."""

    found: tuple[Address, ...]
    is_exact: bool = False


def served_namespace(own: str, top: str, inherit: bool) -> str:
    """Return the namespace that a job is served in; `top` is its topmost ancestor's."""
    return top if inherit else own


def resolve_job(
    graph: Graph, namespace: str, name: str, *, inherit: bool, key: str | None = None
) -> Resolution:
    """Return the jobs of a namespace and name; `key` chooses one of several.

    Raise `NotFound` if no job has or had that name.
    """
    found = graph.read(resolve_names, [Alias(namespace, name)], inherit, key)
    if not found.found:
        raise NotFound(f"no job {name!r} in namespace {namespace!r}")
    return found


def resolve_names(
    tx: Transaction, names: list[Alias], inherit: bool, key: str | None = None
) -> Resolution:
    """Return the jobs of several readings of one name together."""
    rows = [name._asdict() | {"alias_key": alias_key(name)} for name in names]
    hits = [hit for hit in list_addressed_jobs(tx, rows=rows) if key in (None, hit.key)]
    exact = _addresses((hit for hit in hits if _is_exact(hit, inherit)), inherit)
    if len(exact) == 1:
        return Resolution(tuple(exact), is_exact=True)
    if exact:
        return Resolution(tuple(msgspec.structs.replace(one, has_twin=True) for one in exact))
    return Resolution(_with_twins(tx, _addresses(hits, inherit), inherit))


def _is_exact(hit: AddressedJob, inherit: bool) -> bool:
    served = served_namespace(hit.namespace, hit.top_namespace, inherit)
    return (hit.asked_namespace, hit.asked_name) == (served, hit.name)


def _addresses(hits: Iterable[AddressedJob], inherit: bool) -> list[Address]:
    served = {
        hit.key: Address(
            hit.key, served_namespace(hit.namespace, hit.top_namespace, inherit), hit.name
        )
        for hit in hits
    }
    return sorted(served.values(), key=lambda one: (one.namespace, one.name, one.key))


def _with_twins(tx: Transaction, found: list[Address], inherit: bool) -> tuple[Address, ...]:
    twins = set(list_twins(tx, keys=[one.key for one in found], inherit=inherit))
    return tuple(msgspec.structs.replace(one, has_twin=one.key in twins) for one in found)


# Namespaces have few colons; a text of thousands is not worth thousands of look-ups.
_MOST_SPLITS = 64


class FoundDataset(msgspec.Struct, frozen=True):
    """A dataset, by key."""

    key: str


def resolve_node(graph: Graph, node: str, *, inherit: bool) -> Resolution | FoundDataset:
    """Return the job or dataset of a node id; own names and `job:NAMESPACE:NAME#UUID` work too.

    Namespaces and names may both contain colons, so every colon is tried. Raise `NotFound`.
    """
    kind, _, rest = node.partition(":")
    found = _find_dataset(graph, rest) if kind == "dataset" else None
    jobs = _find_jobs(graph, rest, inherit) if kind == "job" else None
    if found or (jobs and jobs.found):
        return found or jobs or Resolution(())
    raise NotFound(f"no node {node!r}")


def _find_dataset(graph: Graph, rest: str) -> FoundDataset | None:
    keys = [dataset_key(*split) for split in _splits(rest)]
    found = set(graph.read(list_addressed_datasets, keys=keys))
    return next((FoundDataset(key) for key in keys if key in found), None)


def _find_jobs(graph: Graph, rest: str, inherit: bool) -> Resolution:
    found = graph.read(resolve_names, _splits(rest), inherit)
    name, _, uuid = rest.rpartition("#")
    if found.found or not _is_uuid(uuid):
        return found
    return graph.read(resolve_names, _splits(name), inherit, UUID(uuid).hex)


def _splits(text: str) -> list[Alias]:
    return list(islice(_all_splits(text), _MOST_SPLITS))


def _all_splits(text: str) -> Iterator[Alias]:
    for position, character in enumerate(text):
        if character == ":" and 0 < position < len(text) - 1:
            yield Alias(text[:position], text[position + 1 :])


def _is_uuid(text: str) -> bool:
    try:
        return str(UUID(text)) == text.lower()
    except ValueError:
        return False
