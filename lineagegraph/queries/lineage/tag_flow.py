"""Where the values of tagged columns flow: column lineage downstream, up to masking."""

import msgspec

from lineagegraph.errors import NotFound
from lineagegraph.graph import Graph, Transaction
from lineagegraph.store.admin.tags import get_tag
from lineagegraph.store.lineage.tag_flow import (
    FlowColumn,
    list_tagged_columns,
    list_values_passed,
)

MOST_REACHED = 10_000


class FlowStep(msgspec.Struct, frozen=True):
    """A column on the way; `job` is the one that made it, None for the tagged column."""

    namespace: str
    dataset: str
    column: str
    job: str | None


class ReachedColumn(msgspec.Struct, frozen=True):
    """A column that values of a tagged column reach, and a shortest path from there to it."""

    namespace: str
    dataset: str
    column: str
    path: tuple[FlowStep, ...]

    def __str__(self) -> str:
        return f"{self.namespace}:{self.dataset}#{self.column}"


class TagFlow(msgspec.Struct, frozen=True):
    """The reached columns that do not have the tag, the nearest first; `cut` if there are more."""

    tag: str
    columns: tuple[ReachedColumn, ...]
    cut: bool


def read_tag_flow(graph: Graph, tag: str, most: int = MOST_REACHED) -> TagFlow:
    """Return the columns that values of columns with a tag reach unmasked.

    A tagged dataset tags all its columns. Only derivations of type DIRECT that mask nothing count.
    """
    return graph.read(find_tag_flow, tag, most)


def find_tag_flow(tx: Transaction, tag: str, most: int = MOST_REACHED) -> TagFlow:
    """Return the same as `read_tag_flow`, in a transaction."""
    if get_tag(tx, name=tag) is None:
        raise NotFound(f"no tag {tag!r}: attach it to a column or dataset first")
    tagged = list_tagged_columns(tx, name=tag, limit=most + 1)
    cut = len(tagged) > most
    paths: dict[str, tuple[FlowStep, ...]] = {
        one.key: (FlowStep(one.namespace, one.dataset, one.name, None),) for one in tagged[:most]
    }
    here, reached = list(paths), list[ReachedColumn]()
    # Each column is visited once, so cycles end. The step without room only sees if there are more.
    while here:
        room = most - len(reached)
        found = list_values_passed(tx, keys=here, known=list(paths), limit=room + 1)
        cut, here = cut or len(found) > room, []
        for one in found[:room]:
            paths[one.key] = (*paths[one.source or ""], _step(one))
            here.append(one.key)
            reached.append(ReachedColumn(one.namespace, one.dataset, one.name, paths[one.key]))
    return TagFlow(tag, tuple(reached), cut)


def _step(one: FlowColumn) -> FlowStep:
    return FlowStep(one.namespace, one.dataset, one.name, one.job)
