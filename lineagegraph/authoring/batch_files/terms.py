"""Terms of freshness in a batch file: of a task for itself, and of its parents."""

from lineagegraph.authoring.batch_files.node import JsonNode
from lineagegraph.authoring.checked_values import bounded_seconds, checked_name
from lineagegraph.authoring.handle import Depends
from lineagegraph.authoring.terms import (
    WaitFields,
    checked_since,
    checked_zone,
    is_any,
    one_of,
    today,
)
from lineagegraph.model.freshness.terms import (
    TODAY,
    Counts,
    Dependency,
    Freshness,
    WhenNewer,
    WhenSkipped,
)
from lineagegraph.model.waits import LONGEST

HOURS = "freshnessCriteriaInHours"
TERMS = (HOURS, "maxAge", "since", "zone", "counts", "partition", "unchanged")
OWN = ("freshness", *TERMS)
EDGE = (*TERMS, "whenSkipped", "whenNewer", "external", "recheck", "wait", "namespace")
_SPELT = {"dataEnd": "data_end", "skipChild": "skip_child"}


def own_terms(members: dict[str, JsonNode]) -> Freshness | None:
    """Return a task's terms for itself, beside its other keys or under `freshness`."""
    if "freshness" not in members:
        return read_terms(members)
    if beside := next((members[name] for name in TERMS if name in members), None):
        raise beside.fault("must be inside `freshness`, which is given too")
    return read_terms(members["freshness"].members(TERMS))


def read_terms(members: dict[str, JsonNode]) -> Freshness | None:
    """Return terms of freshness, None if there are none."""
    if not any(name in members for name in TERMS):
        return None
    age, place = _age(members), members.get("zone")
    zone = checked_zone(place.text(), place.origin) if place else None
    counts, partition = members.get("counts"), members.get("partition")
    unchanged = members.get("unchanged")
    return Freshness(
        max_age=age,
        since=_since(members, zone) or (TODAY.since if age is None else None),
        zone=zone,
        counts=one_of(Counts, _spelt(counts), "counts", counts.origin) if counts else None,
        any_partition=partition is not None and is_any(partition.text(), partition.origin),
        unchanged=unchanged is not None and unchanged.flag(),
    )


def read_parents(members: dict[str, JsonNode]) -> tuple[Depends, ...]:
    """Return the dependencies of a task, each name once, with its terms if it has some."""
    found: dict[str, Depends] = {}
    for one in members["dependencies"].items() if "dependencies" in members else ():
        name = one.text()
        if name in found:
            raise one.fault(f"{name!r} is listed twice: leave one out")
        found[name] = today(name, one.origin)
    if "dependenciesWithMeta" in members:
        for name, node in members["dependenciesWithMeta"].entries().items():
            found[name] = Depends(name, _dependency(name, node), node.origin)
    return tuple(found.values())


def duration_of(node: JsonNode) -> str | float:
    """Return the text, or the number of seconds, of a duration."""
    return node.text() if isinstance(node.value, str) else node.number()


def _dependency(name: str, node: JsonNode) -> Dependency:
    members = node.members(EDGE)
    skipped, external = members.get("whenSkipped"), members.get("external")
    namespace, newer = members.get("namespace"), members.get("whenNewer")
    return Dependency(
        job=checked_name(name, "parent", node.origin),
        namespace=checked_name(namespace.text(), "namespace", namespace.origin)
        if namespace
        else None,
        freshness=read_terms(members) or TODAY,
        when_skipped=one_of(WhenSkipped, _spelt(skipped), "whenSkipped", skipped.origin)
        if skipped
        else WhenSkipped.BLOCK,
        when_newer=one_of(WhenNewer, newer.text(), "whenNewer", newer.origin)
        if newer
        else WhenNewer.IGNORE,
        external=external is not None and external.flag(),
        **_waits(members),
    )


def _waits(members: dict[str, JsonNode]) -> WaitFields:
    found = WaitFields()
    if node := members.get("recheck"):
        found["recheck"] = bounded_seconds(duration_of(node), "recheck", node.origin, 1.0)
    if node := members.get("wait"):
        found["wait"] = bounded_seconds(duration_of(node), "wait", node.origin)
    return found


def _age(members: dict[str, JsonNode]) -> float | None:
    if node := members.get(HOURS):
        if "maxAge" in members:
            raise members["maxAge"].fault(f"means the same as {HOURS}: leave one out")
        hours = node.number()
        if not 0 <= hours * 3600 <= LONGEST:
            raise node.fault(f"{hours} hours must be between 0 and ten years")
        return hours * 3600.0
    if node := members.get("maxAge"):
        return bounded_seconds(duration_of(node), "maxAge", node.origin)
    return None


def _since(members: dict[str, JsonNode], zone: str | None) -> str | None:
    node = members.get("since")
    return checked_since(node.text(), zone, node.origin) if node else None


def _spelt(node: JsonNode) -> str:
    return _SPELT.get(node.text(), node.text())
