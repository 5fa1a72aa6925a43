"""What starts a batch: its schedule and triggers."""

from collections.abc import Iterator, Mapping

from lineagegraph.authoring.batch_files.node import Node, text
from lineagegraph.authoring.batch_files.terms import duration_of
from lineagegraph.authoring.batches import cron_of
from lineagegraph.authoring.durations import seconds
from lineagegraph.authoring.terms import checked_zone, one_of
from lineagegraph.errors import InvalidRule
from lineagegraph.model.triggers.condition import OnCron, OnInterval
from lineagegraph.model.triggers.trigger import CatchUp, Overlap, Trigger
from lineagegraph.model.triggers.trigger_json import decode_trigger

SCHEDULE = ("cron", "every", "zone", "name", "overlap", "catchUp")


def read_starts(members: Mapping[str, Node], zone: str | None) -> tuple[Trigger, ...]:
    """Return the triggers of a batch; cron expressions without a zone are in the batch's."""
    return (
        *(_scheduled(one, zone) for one in _each(members, "schedule")),
        *(_trigger(one) for one in _each(members, "trigger")),
    )


def _each(members: Mapping[str, Node], key: str) -> Iterator[Node]:
    if key in members:
        node = members[key]
        yield from node.items() if isinstance(node.value, list) else [node]


def _scheduled(node: Node, zone: str | None) -> Trigger:
    if isinstance(node.value, str):
        return Trigger(when=cron_of(node.text(), zone, node.origin))
    members = node.members(SCHEDULE)
    overlap, catch_up = members.get("overlap"), members.get("catchUp")
    return Trigger(
        when=_times(node, members, zone),
        name=text(members, "name"),
        overlap=one_of(Overlap, overlap.text(), "overlap", overlap.origin)
        if overlap
        else Overlap.ALLOW,
        catch_up=one_of(CatchUp, catch_up.text(), "catchUp", catch_up.origin)
        if catch_up
        else CatchUp.LAST,
    )


def _times(node: Node, members: Mapping[str, Node], zone: str | None) -> OnCron | OnInterval:
    if ("cron" in members) == ("every" in members):
        raise node.fault("needs either `cron` or `every`")
    if "every" in members:
        every = members["every"]
        return OnInterval(seconds=seconds(duration_of(every), "every", every.origin))
    place, cron = members.get("zone"), members["cron"]
    own = checked_zone(place.text(), place.origin) if place else zone
    return cron_of(cron.text(), own, cron.origin)


def _trigger(node: Node) -> Trigger:
    """Read a trigger, or a condition that is one."""
    stated = node.entries()
    plain = node.plain()
    try:
        return decode_trigger(plain if "when" in stated else {"when": plain})
    except InvalidRule as error:
        raise node.fault(str(error)) from None
