"""A task of a batch file."""

from collections.abc import Iterator

from lineagegraph.authoring.batch_files.node import Node, plain, text
from lineagegraph.authoring.batch_files.terms import OWN, duration_of, own_terms, read_parents
from lineagegraph.authoring.batch_files.work import WORK, read_work
from lineagegraph.authoring.handle import Handle
from lineagegraph.authoring.task_options import options
from lineagegraph.model.names.nearest import did_you_mean
from lineagegraph.model.pipelines.emits import EMIT_TYPES

TASK = (
    *WORK,
    *OWN,
    *("dependencies", "dependenciesWithMeta", "retries", "retryDelay", "timeout", "emits"),
    "cluster",
)


def read_tasks(node: Node) -> list[Handle]:
    """Return the tasks of a batch: an object of them by name, or a list in which each has an id."""
    if isinstance(node.value, list):
        return [_read(name, one, ("id", *TASK)) for name, one in _listed(node)]
    return [_read(name, one, TASK) for name, one in node.entries().items()]


def _listed(node: Node) -> Iterator[tuple[str, Node]]:
    seen: dict[str, Node] = {}
    for one in node.items():
        id_ = one.entries().get("id")
        if id_ is None:
            raise one.fault("a task in a list needs an `id`")
        name = id_.text()
        if name in seen:
            raise id_.fault(f"{name!r} is the id of the task on line {seen[name].origin.line} too")
        seen[name] = id_
        yield name, one


def _read(name: str, node: Node, known: tuple[str, ...]) -> Handle:
    members = node.members(known)
    delay, timeout = members.get("retryDelay"), members.get("timeout")
    return read_work(
        node,
        members,
        options(
            name,
            node.located(members),
            retries=plain(members, "retries", 0),
            retry_delay=duration_of(delay) if delay else 0,
            timeout=duration_of(timeout) if timeout else None,
            emits=_emits(members.get("emits")),
            freshness=own_terms(members),
            dependencies=read_parents(members),
            cluster=text(members, "cluster"),
        ),
    )


def _emits(node: Node | None) -> dict[str, type] | None:
    if node is None:
        return None
    return {name: _type(one) for name, one in node.entries().items()}


def _type(node: Node) -> type:
    name = node.text()
    if name not in EMIT_TYPES:
        raise node.fault(f"{name!r} is no type{did_you_mean(name, EMIT_TYPES)}")
    return EMIT_TYPES[name]
