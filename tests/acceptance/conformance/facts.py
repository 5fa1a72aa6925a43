"""What events tell about datasets and columns, as lines of text that can be compared."""

from collections.abc import Callable, Iterable, Iterator
from typing import Any

Dataset = dict[str, Any]
Name = Callable[[Dataset], str]


def facts_of(events: Iterable[Dataset], name: Name) -> set[str]:
    """Return what events tell together.

    `reads a`, `writes b` and `b DROP` are of datasets; that one is new or was replaced is left out.
    `b.x <- a.y` is a column whose values come from another, `b.x <~ a.y` one that another only
    decides; `b <= a.z` is a column that decides which rows there are.
    """
    found: set[str] = set()
    for event in events:
        found |= {f"reads {name(dataset)}" for dataset in event.get("inputs", ())}
        for dataset in event.get("outputs", ()):
            found |= {f"writes {name(dataset)}", *_of_output(dataset, name)}
    return found


def _of_output(dataset: Dataset, name: Name) -> Iterator[str]:
    facets, written = dataset.get("facets", {}), name(dataset)
    change = facets.get("lifecycleStateChange")
    if change and change["lifecycleStateChange"] not in ("CREATE", "OVERWRITE"):
        yield f"{written} {change['lifecycleStateChange']}"
        if previous := change.get("previousIdentifier"):
            yield f"{written} was {name(previous)}"
    lineage = facets.get("columnLineage", {})
    for column, field in lineage.get("fields", {}).items():
        for source in field["inputFields"]:
            arrow = "<-" if _is_direct(source) else "<~"
            yield f"{written}.{column} {arrow} {name(source)}.{source['field']}"
    for source in lineage.get("dataset", ()):
        yield f"{written} <= {name(source)}.{source['field']}"


def _is_direct(source: Dataset) -> bool:
    kinds = {each.get("type") for each in source.get("transformations", ())}
    return "DIRECT" in kinds or not kinds
