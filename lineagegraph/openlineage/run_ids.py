"""Run ids that are no UUIDs: each is replaced by the UUID of its job's name and itself."""

import json
import re
from collections.abc import Iterator
from typing import Any, NamedTuple
from uuid import UUID, uuid5

from lineagegraph.openlineage.objects import get_object, get_parent

Step = str | int
_RUNS = UUID("6b1f7c52-3f0e-5d0a-9a44-0d6c2f4e8b17")
_LONGEST = 2000  # bytes, as of names
_SPELT = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")


class SentRunId(NamedTuple):
    """A mention of a run by an id that is no UUID."""

    path: str  # JSON path of the id
    sent: str  # the id as it was sent
    id: str  # the UUID that stands for it


class IdentifiedEvent(NamedTuple):
    """An event whose ids of runs are UUIDs, and the mentions of runs that had other ids."""

    event: Any
    named: list[SentRunId]


def identify_runs(event: Any) -> IdentifiedEvent:
    """Replace the ids of runs that are no UUIDs, in a copy; an invalid event stays as it is.

    The UUID follows from the namespace and name of the job beside the id, and the id, so that all
    mentions of a run by the same job give the same one.
    """
    named = []
    for steps, mention in list(_mentions(event)):
        sent = _run_id(mention)
        id_ = _spell(sent) or _derive(mention, sent)
        if id_ is None or id_ == sent:
            continue
        if _spell(sent) is None:
            named.append(SentRunId(f"{_path(steps)}.run.runId", sent, id_))
        event = _replace(event, (*steps, "run", "runId"), id_)
    return IdentifiedEvent(event, named)


def names_itself(event: Any) -> bool:
    """Return whether a valid event with UUIDs names its own run as the parent."""
    parent = get_parent(event)
    return bool(parent) and _spell(_run_id(parent)) == _spell(_run_id(event))


def _mentions(event: Any) -> Iterator[tuple[tuple[Step, ...], dict[str, Any]]]:
    """Yield the objects of an event that have a run and its job, and where they are."""
    if not isinstance(event, dict):
        return
    yield (), event
    facets = get_object(get_object(event, "run"), "facets")
    at: tuple[Step, ...] = ("run", "facets", "parent")
    parent = get_object(facets, "parent")
    yield at, parent
    yield (*at, "root"), get_object(parent, "root")
    for side in ("upstream", "downstream"):
        entries = get_object(facets, "jobDependencies").get(side)
        for number, entry in enumerate(entries if isinstance(entries, list) else ()):
            if isinstance(entry, dict):
                yield ("run", "facets", "jobDependencies", side, number), entry


def _run_id(mention: dict[str, Any]) -> str:
    found = get_object(mention, "run").get("runId")
    return found if isinstance(found, str) else ""


def _spell(id_: str) -> str | None:
    if _SPELT.fullmatch(id_):
        return id_
    try:
        return str(UUID(id_))
    except ValueError:
        return None


def _derive(mention: dict[str, Any], sent: str) -> str | None:
    job = get_object(mention, "job")
    parts = [job.get("namespace"), job.get("name"), sent]
    if not all(isinstance(part, str) and 0 < len(part) <= _LONGEST for part in parts):
        return None
    # In ASCII, so that text with a lone surrogate is refused later, with its path.
    return str(uuid5(_RUNS, json.dumps(parts)))


def _replace(value: Any, steps: tuple[Step, ...], new: str) -> Any:
    """Return a copy of a value with another value at a place; the rest is shared."""
    if not steps:
        return new
    copy = value.copy()
    copy[steps[0]] = _replace(value[steps[0]], steps[1:], new)
    return copy


def _path(steps: tuple[Step, ...]) -> str:
    return "$" + "".join(f"[{one}]" if isinstance(one, int) else f".{one}" for one in steps)
