"""Resolve the tasks of a pipeline: their names, their order and their parents."""

from collections.abc import Iterable, Mapping, Sequence
from graphlib import CycleError, TopologicalSorter
from typing import NamedTuple

from msgspec.structs import replace

from lineagegraph.authoring.handle import Depends, Handle
from lineagegraph.authoring.origin import Origin
from lineagegraph.errors import DefinitionCycle, DefinitionError
from lineagegraph.model.freshness.terms import TODAY, Dependency, Freshness
from lineagegraph.model.names.nearest import did_you_mean
from lineagegraph.model.pipelines.definition import Cluster, Task
from lineagegraph.model.pipelines.when import When


class BatchTerms(NamedTuple):
    """The options of a batch that other pipelines do not have."""

    freshness: Freshness | None = None
    zone: str | None = None
    clusters: tuple[Cluster, ...] = ()


class InBatch(NamedTuple):
    """A batch with the defaults for its tasks: terms of freshness, and a zone."""

    namespace: str
    name: str
    freshness: Freshness
    zone: str | None
    clusters: tuple[str, ...]

    @classmethod
    def of(cls, namespace: str, name: str, terms: BatchTerms) -> "InBatch":
        """Return a batch with its terms; by default a success of today counts."""
        names = tuple(one.name for one in terms.clusters)
        return cls(namespace, name, terms.freshness or TODAY, terms.zone, names)

    def placed(self, terms: Freshness) -> Freshness:
        """Return terms with the batch's zone, unless they have one or need none."""
        if self.zone is None or terms.since is None or terms.zone is not None:
            return terms
        return replace(terms, zone=self.zone)


class BatchFields(NamedTuple):
    """The fields of a `Task` that depend on its batch."""

    after: tuple[str, ...]
    freshness: Freshness
    dependencies: tuple[Dependency, ...]


def bind_parents(handle: Handle, siblings: Mapping[str, Handle], batch: InBatch) -> BatchFields:
    """Return the terms of a task for itself and for each parent; parents beside it come first."""
    _check_cluster(handle, batch)
    _check_fit(handle)
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
    return BatchFields(
        after=tuple(after),
        freshness=batch.placed(handle.freshness or batch.freshness),
        dependencies=tuple(
            replace(one, freshness=batch.placed(one.freshness)) for one in found.values()
        ),
    )


def check_plain(handles: Iterable[Handle]) -> None:
    """Raise `DefinitionError` for a task outside a batch that has options of a batch's tasks."""
    for handle in handles:
        options = {
            "freshness": handle.freshness,
            "dependencies": handle.dependencies,
            "cluster": handle.cluster,
        }
        for name, value in options.items():
            if value:
                raise DefinitionError(
                    f"{handle.origin}: task {handle.name}: {name} is for the tasks of a batch: "
                    "use lg.batch(…) in place of lg.pipeline(…)"
                )


def _sibling(one: Depends, siblings: Mapping[str, Handle], batch: InBatch) -> str | None:
    """Return the name of the task beside it; the dependency may give its full name."""
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
    elif terms.namespace in (None, batch.namespace) and one.on.startswith(f"{batch.name}."):
        raise _unknown(one, handle, siblings)
    return replace(terms, namespace=None) if terms.namespace == batch.namespace else terms


def _unknown(one: Depends, handle: Handle, siblings: Mapping[str, Handle]) -> DefinitionError:
    name = one.terms.job
    return DefinitionError(
        f"{one.origin}: task {handle.name} depends on {name!r}, which is not a task of its batch"
        f"{did_you_mean(name, siblings)}; name a job elsewhere in full (batch.task), "
        "or with its namespace"
    )


def _check_cluster(handle: Handle, batch: InBatch) -> None:
    name = handle.cluster
    if name is not None and name not in batch.clusters:
        known = did_you_mean(name, filter(None, batch.clusters))
        raise DefinitionError(
            f"{handle.origin.at('cluster')}: task {handle.name}: batch {batch.name} has "
            f"no cluster {name!r}{known}"
        )


def _check_fit(handle: Handle) -> None:
    """Raise `DefinitionError` for an option that the tasks of a batch cannot have."""
    if handle.takes:
        raise DefinitionError(
            f"{handle.origin.at('takes')}: task {handle.name}: takes is not for the tasks of a "
            "batch, as one that is fresh returns nothing: use lg.pipeline(…)"
        )
    if handle.when is not When.ALL_SUCCESS or handle.teardown or handle.branches:
        option = "teardown" if handle.teardown else "branch" if handle.branches else "when"
        raise DefinitionError(
            f"{handle.origin.at(option)}: task {handle.name}: {option} is not for the tasks of a "
            "batch, whose dependencies decide: use lg.pipeline(…)"
        )


def resolve_tasks(
    handles: Sequence[Handle],
    where: str,
    parameters: Sequence[str],
    origin: Origin,
    batch: InBatch | None = None,
) -> tuple[Task, ...]:
    """Check the names and order of the tasks of one pipeline or group, and return them.

    In a `batch` each of them has terms for itself and for its parents.
    """
    if not handles:
        raise DefinitionError(f"{origin}: {where} has no tasks")
    siblings = _by_name(handles, where)
    for handle in handles:
        _check_after(handle, siblings, where)
        _check_when(handle)
        _check_branch(handle, handles)
    if batch is None:
        check_plain(handles)
        _check_cycle({one.name: one.after_names for one in handles}, where, origin)
        return tuple(handle.to_task(parameters) for handle in handles)
    bound = {handle.name: bind_parents(handle, siblings, batch) for handle in handles}
    _check_cycle({name: one.after for name, one in bound.items()}, where, origin)
    return tuple(
        replace(handle.to_task(parameters), **bound[handle.name]._asdict()) for handle in handles
    )


def _by_name(handles: Sequence[Handle], where: str) -> dict[str, Handle]:
    siblings: dict[str, Handle] = {}
    for handle in handles:
        other = siblings.setdefault(handle.name, handle)
        if other is not handle or handles.count(handle) > 1:
            raise DefinitionError(
                f"{handle.origin}: {where} has two tasks {handle.name!r} "
                f"(the other is from {other.origin}): give one another name"
            )
    return siblings


def _check_after(handle: Handle, siblings: dict[str, Handle], where: str) -> None:
    for one in handle.predecessors:
        name = one.name if isinstance(one, Handle) else one
        sibling = siblings.get(name)
        if sibling is None or (isinstance(one, Handle) and not sibling.is_meant_by(one)):
            raise DefinitionError(
                f"{handle.origin}: task {handle.name} is after {name!r}, which is not a task "
                f"of {where} ({', '.join(siblings)})"
            )


def _check_when(handle: Handle) -> None:
    """Raise `DefinitionError` for a rule about tasks before it if there are none, or for two."""
    option = "teardown" if handle.teardown else "when"
    if handle.when is When.ALL_SUCCESS and not handle.teardown:
        return
    if not handle.predecessors:
        raise DefinitionError(
            f"{handle.origin.at(option)}: task {handle.name}: {option} is about the tasks before "
            "it: give after=…"
        )
    if handle.teardown and handle.when is not When.ALL_SUCCESS:
        raise DefinitionError(
            f"{handle.origin.at('when')}: task {handle.name}: leave out when: a teardown starts "
            "when all tasks before it have ended"
        )


def _check_branch(handle: Handle, handles: Sequence[Handle]) -> None:
    if handle.branches and not any(handle.name in one.after_names for one in handles):
        raise DefinitionError(
            f"{handle.origin}: branch {handle.name} has nothing to choose from: give the tasks of "
            f"which it chooses after={handle.name}"
        )


def _check_cycle(after: Mapping[str, Sequence[str]], where: str, origin: Origin) -> None:
    sorter = TopologicalSorter(after)
    try:
        sorter.prepare()
    except CycleError as error:
        path = " -> ".join(error.args[1])
        raise DefinitionCycle(f"{origin}: {where} has a cycle of tasks: {path}") from None
