"""Tasks beside each other: their names, what comes after what, and that this ends."""

from collections.abc import Mapping, Sequence
from graphlib import CycleError, TopologicalSorter

from msgspec.structs import replace

from lineagegraph.authoring.handle import Handle
from lineagegraph.authoring.origin import Origin
from lineagegraph.authoring.parents import InBatch, bind_parents, check_plain
from lineagegraph.errors import DefinitionCycle, DefinitionError
from lineagegraph.model.pipelines.definition import Task


def place_all(
    handles: Sequence[Handle],
    where: str,
    parameters: Sequence[str],
    origin: Origin,
    batch: InBatch | None = None,
) -> tuple[Task, ...]:
    """Return the tasks of one pipeline or group, once their names and order are found sound.

    In a `batch` each of them has terms for itself and for its parents.
    """
    if not handles:
        raise DefinitionError(f"{origin}: {where} has no tasks")
    siblings = _by_name(handles, where)
    for handle in handles:
        _check_after(handle, siblings, where)
    if batch is None:
        check_plain(handles)
        _check_cycle({one.name: one.after_names for one in handles}, where, origin)
        return tuple(handle.place(parameters) for handle in handles)
    bound = {handle.name: bind_parents(handle, siblings, batch) for handle in handles}
    _check_cycle({name: one.after for name, one in bound.items()}, where, origin)
    return tuple(
        replace(handle.place(parameters), **bound[handle.name]._asdict()) for handle in handles
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
    for one in handle.after:
        name = one.name if isinstance(one, Handle) else one
        sibling = siblings.get(name)
        if sibling is None or (isinstance(one, Handle) and not sibling.is_meant_by(one)):
            raise DefinitionError(
                f"{handle.origin}: task {handle.name} is after {name!r}, which is not beside it "
                f"in {where} ({', '.join(siblings)})"
            )


def _check_cycle(after: Mapping[str, Sequence[str]], where: str, origin: Origin) -> None:
    sorter = TopologicalSorter(after)
    try:
        sorter.prepare()
    except CycleError as error:
        path = " -> ".join(error.args[1])
        raise DefinitionCycle(f"{origin}: {where} has a cycle of tasks: {path}") from None
