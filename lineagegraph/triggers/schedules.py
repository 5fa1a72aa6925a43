"""Schedules: triggers that are made, changed and deleted from outside a definition.

A schedule has a name of its own in its application, as CDAP has it. One that a definition states
can be changed here as well, until the next sync.
"""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, NamedTuple

import msgspec

from lineagegraph.errors import Ambiguous, InvalidRule, NameTaken, NotFound
from lineagegraph.graph import Transaction
from lineagegraph.ingest.names import MAX_NAME_BYTES
from lineagegraph.model.pipelines.definition import Pipeline
from lineagegraph.model.pipelines.parameters import check_given
from lineagegraph.model.runs.states import JobKind
from lineagegraph.model.triggers.condition import Leaf, OnAbsent, OnFresh, OnStatus, leaves_of
from lineagegraph.model.triggers.trigger import Trigger
from lineagegraph.model.triggers.trigger_json import decode_trigger
from lineagegraph.model.typed import decode_json
from lineagegraph.store.pipelines.versions import get_definition
from lineagegraph.store.triggers import schedules
from lineagegraph.store.triggers.schedules import Program, ScheduleRow
from lineagegraph.triggers.write import (
    SCHEDULE,
    Maker,
    delete_trigger,
    enable_trigger,
    set_trigger,
)

_MOST_ENABLED = 200
KINDS = {"WORKFLOW": JobKind.PIPELINE, "SPARK": JobKind.TASK}


class SchedulePath(NamedTuple):
    """The path of a schedule: namespace, application and name."""

    namespace: str
    application: str
    name: str


def add_schedule(
    tx: Transaction,
    place: SchedulePath,
    program: str,
    rule: Trigger,
    *,
    token: str | None = None,
    now: datetime | None = None,
) -> str:
    """Create a schedule, suspended at first, and return its trigger's id.

    `token` is the name of its author's token: when the rule fires, it must still be valid, with the
    roles for it. Raises `NameTaken` if the application has one of that
    name, and `NotFound` if it has no such program.
    """
    started = find_program(tx, place.namespace, place.application, program)
    if not started.can_start:
        raise InvalidRule(f"{program} starts within its pipeline: give that the schedule")
    schedules.claim_names(tx, namespace=place.namespace, application=place.application)
    if schedules.list_ids_named(tx, **place._asdict()):
        raise NameTaken(f"schedule {place.name!r} exists already: update it, or delete it")
    return _write(tx, place, started.key, rule, Maker(token), now)


def update_schedule(
    tx: Transaction,
    place: SchedulePath,
    program: str | None,
    members: Mapping[str, Any],
    *,
    adds_constraints: bool = False,
    token: str | None = None,
    now: datetime | None = None,
) -> str:
    """Replace members of a schedule's rule with those of a JSON value.

    A new `when` replaces all members about its evaluation, and belongs to `token`. Constraints
    replace all, or with `adds_constraints` those of their kinds. Raises `InvalidRule` for another
    program than the schedule's.
    """
    found = claim_schedule(tx, place)
    if program not in (None, found.program):
        raise InvalidRule(
            f"schedule {found.name!r} starts {found.program}: delete it and add another to start "
            f"{program}"
        )
    known: dict[str, Any] = msgspec.json.decode(found.rule)
    if adds_constraints and "constraints" in members:
        kinds = {one["kind"] for one in members["constraints"]}
        others = [one for one in known.get("constraints", ()) if one["kind"] not in kinds]
        members = {**members, "constraints": [*others, *members["constraints"]]}
    kept = {key: known[key] for key in known.keys() & _BESIDE} if "when" in members else known
    rule = decode_trigger({**kept, **members})
    maker = Maker(token) if "when" in members else None
    return _write(tx, place._replace(name=found.name), found.job_key, rule, maker, now)


def remove_schedule(tx: Transaction, place: SchedulePath, *, now: datetime | None = None) -> None:
    """Delete a schedule; its firings stay."""
    found = claim_schedule(tx, place)
    delete_trigger(tx, starts=found.job_key, name=found.name, now=now)


def switch_schedule(
    tx: Transaction, place: SchedulePath, *, enabled: bool, now: datetime | None = None
) -> bool:
    """Enable or suspend a schedule; return False if it was so already."""
    found = claim_schedule(tx, place)
    enable_trigger(tx, trigger_id=found.id, enabled=enabled, now=now)
    return found.enabled is not enabled


def enable_suspended(
    tx: Transaction,
    namespace: str,
    since: datetime,
    until: datetime,
    *,
    now: datetime | None = None,
) -> list[str]:
    """Enable a part of the schedules that were suspended or created from `since` to before `until`.

    Return their names; an empty list means that all are enabled.
    """

    def suspended() -> list[str]:
        return schedules.list_ids_suspended(
            tx, namespace=namespace, since=since, until=until, most=_MOST_ENABLED
        )

    schedules.claim_schedules(tx, ids=suspended())
    ids = suspended()
    for id_ in ids:
        enable_trigger(tx, trigger_id=id_, enabled=True, now=now)
    return [row.name for row in schedules.list_schedules(tx, ids=ids)]


def claim_schedule(tx: Transaction, place: SchedulePath) -> ScheduleRow:
    """Lock a schedule and return it."""
    schedules.claim_schedules(tx, ids=[find_schedule(tx, place).id])
    return find_schedule(tx, place)


def find_schedule(tx: Transaction, place: SchedulePath) -> ScheduleRow:
    """Return the schedule of a name, or of a trigger's id; raise `NotFound`."""
    ids = schedules.list_ids_named(tx, **place._asdict())
    found = schedules.list_schedules(tx, ids=ids)
    if not found:
        raise NotFound(f"no schedule {place.name!r} in application {place.application!r}")
    if len(found) > 1:
        named = ", ".join(f"{row.id} (starts {row.program})" for row in found)
        raise Ambiguous(f"several schedules are called {place.name!r}: use an id of {named}")
    return found[0]


def find_program(
    tx: Transaction, namespace: str, application: str, name: str, kind: str = JobKind.PIPELINE
) -> Program:
    """Return a program of an application; raise `NotFound`."""
    rows = [{"namespace": namespace, "name": name}]
    for program in schedules.list_programs(tx, rows=rows):
        if (program.application, program.kind) == (application, kind) and not program.is_gone:
            return program
    raise NotFound(
        f"no {kind} {name!r} in application {application!r} in namespace {namespace!r}: "
        "`lineagegraph sync` makes it known"
    )


_BESIDE = {"description", "properties", "constraints", "ttl"}


def _write(
    tx: Transaction,
    place: SchedulePath,
    starts: str,
    rule: Trigger,
    maker: Maker | None,
    now: datetime | None,
) -> str:
    for leaf in leaves_of(rule.when):
        _check_names(leaf)
        if isinstance(leaf, OnStatus) and leaf.type is not None:
            _check_program(tx, place, leaf)
    _check_properties(tx, starts, rule)
    return set_trigger(
        tx,
        rule,
        starts=starts,
        name=place.name,
        namespace=place.namespace,
        enabled=False,
        origin=SCHEDULE,
        maker=maker,
        now=now,
    )


def _check_names(leaf: Leaf) -> None:
    of = leaf.of if isinstance(leaf, OnFresh | OnAbsent) else leaf
    for part in ("job", "namespace", "name"):
        if len((getattr(of, part, None) or "").encode()) > MAX_NAME_BYTES:
            raise InvalidRule(f"the {part} in a condition is longer than {MAX_NAME_BYTES} bytes")


def _check_program(tx: Transaction, place: SchedulePath, leaf: OnStatus) -> None:
    """A program is the project's own, so one that is not there is a slip of the pen."""
    kind = KINDS.get(str(leaf.type))
    if kind is None:
        raise InvalidRule(f"program type {leaf.type!r} is not one of {', '.join(KINDS)}")
    namespace = leaf.namespace or place.namespace
    program = find_program(tx, namespace, leaf.application or place.application, leaf.job, kind)
    if leaf.version is not None and not schedules.get_version(
        tx, key=program.key, version=leaf.version
    ):
        raise NotFound(f"no version {leaf.version!r} of {kind} {leaf.job!r}")


def _check_properties(tx: Transaction, starts: str, rule: Trigger) -> None:
    text = get_definition(tx, job_key=starts)
    if text is not None:
        check_given(decode_json(text, into=Pipeline), rule.properties)
