"""The parents of a task in a batch: tasks beside it, and jobs elsewhere."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from msgspec.structs import replace

from lineagegraph.authoring.handle import Depends, Handle
from lineagegraph.errors import DefinitionCycle, DefinitionError
from lineagegraph.model.freshness.terms import TODAY, Dependency, Freshness
from lineagegraph.model.names.nearest import did_you_mean
from lineagegraph.model.pipelines.definition import Cluster


class BatchTerms(NamedTuple):
    """What a batch states beside what every pipeline does."""

    freshness: Freshness | None = None
    zone: str | None = None
    clusters: tuple[Cluster, ...] = ()


class InBatch(NamedTuple):
    """A batch, and what its tasks have where they say nothing: terms for themselves, and a zone."""

    namespace: str
    name: str
    freshness: Freshness
    zone: str | None
    clusters: tuple[str, ...]

    @classmethod
    def of(cls, namespace: str, name: str, terms: BatchTerms) -> "InBatch":
        """Return a batch with its terms, or those of today."""
        names = tuple(one.name for one in terms.clusters)
        return cls(namespace, name, terms.freshness or TODAY, terms.zone, names)

    def placed(self, terms: Freshness) -> Freshness:
        """Return terms whose points in time are in the batch's zone, if they name none."""
        if self.zone is None or terms.since is None or terms.zone is not None:
            return terms
        return replace(terms, zone=self.zone)


class Bound(NamedTuple):
    """Fields of a `Task` that its batch gives it."""

    after: tuple[str, ...]
    freshness: Freshness
    dependencies: tuple[Dependency, ...]


def bind_parents(handle: Handle, siblings: Mapping[str, Handle], batch: InBatch) -> Bound:
    """Return the terms of a task for itself and for each parent; siblings come before it."""
    _check_cluster(handle, batch)
    found: dict[tuple[str | None, str], Dependency] = {}
    after = dict.fromkeys(handle.after_names)
    for one in handle.dependencies:
        terms = one.terms
        sibling = _sibling(one, siblings, batch)
        if sibling is not None:
            if sibling == handle.name:
                raise DefinitionCycle(f"{one.origin}: task {handle.name} depends on itself")
            terms = replace(terms, job=sibling, namespace=None)
            after[sibling] = None
        else:
            terms = _elsewhere(one, handle, siblings, batch)
        if found.setdefault((terms.namespace, terms.job), terms) is not terms:
            raise DefinitionError(
                f"{one.origin}: task {handle.name} depends on {terms.job} twice: leave one out"
            )
    for name in after:
        found.setdefault((None, name), Dependency(job=name))
    return Bound(
        after=tuple(after),
        freshness=batch.placed(handle.freshness or batch.freshness),
        dependencies=tuple(
            replace(one, freshness=batch.placed(one.freshness)) for one in found.values()
        ),
    )


def check_plain(handles: Iterable[Handle]) -> None:
    """Raise `DefinitionError` for a task outside a batch that has what only a batch heeds."""
    for handle in handles:
        said = {
            "freshness": handle.freshness,
            "dependencies": handle.dependencies,
            "cluster": handle.cluster,
        }
        for name, value in said.items():
            if value:
                raise DefinitionError(
                    f"{handle.origin}: task {handle.name}: {name} is for the tasks of a batch: "
                    "use lg.batch(…) in place of lg.pipeline(…)"
                )


def _sibling(one: Depends, siblings: Mapping[str, Handle], batch: InBatch) -> str | None:
    """Return the name of the task beside it that is meant, which may be named in full."""
    if isinstance(one.on, Handle):
        meant = (name for name, task in siblings.items() if task.is_meant_by(one.on))
        return next(meant, None)
    if one.terms.namespace not in (None, batch.namespace):
        return None
    within = one.on.removeprefix(f"{batch.name}.")
    return next((name for name in (one.on, within) if name in siblings), None)


def _elsewhere(
    one: Depends, handle: Handle, siblings: Mapping[str, Handle], batch: InBatch
) -> Dependency:
    terms = one.terms
    if isinstance(one.on, Handle):
        namespace = getattr(one.on, "namespace", None)
        if namespace is None:
            raise _unknown(one, handle, siblings)
        terms = replace(terms, namespace=namespace)
    elif not _is_elsewhere(one.on, terms, batch):
        raise _unknown(one, handle, siblings)
    return replace(terms, namespace=None) if terms.namespace == batch.namespace else terms


def _is_elsewhere(name: str, terms: Dependency, batch: InBatch) -> bool:
    if terms.namespace not in (None, batch.namespace):
        return True
    if name.startswith(f"{batch.name}."):
        return False
    return "." in name or terms.namespace is not None or terms.external


def _unknown(one: Depends, handle: Handle, siblings: Mapping[str, Handle]) -> DefinitionError:
    name = one.terms.job
    return DefinitionError(
        f"{one.origin}: task {handle.name} depends on {name!r}, which is not beside it"
        f"{did_you_mean(name, siblings)}; a job elsewhere has its full name (batch.task), "
        "or a namespace"
    )


def _check_cluster(handle: Handle, batch: InBatch) -> None:
    name = handle.cluster
    if name is not None and name not in batch.clusters:
        known = did_you_mean(name, filter(None, batch.clusters))
        raise DefinitionError(
            f"{handle.origin.at('cluster')}: task {handle.name}: cluster {name!r} is none of "
            f"batch {batch.name}{known}"
        )
