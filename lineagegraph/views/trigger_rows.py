"""Rows of the trigger panel as texts; times are in a zone."""

from datetime import tzinfo
from typing import Any

import msgspec

from lineagegraph.queries.triggers.describe_why import describe_waiting
from lineagegraph.queries.triggers.triggers import reason_of
from lineagegraph.store.runs.history import FiringRow
from lineagegraph.store.triggers.catalog import TriggerRow
from lineagegraph.store.triggers.firings import WaitingFiring
from lineagegraph.text import format_local
from lineagegraph.triggers.preview import Cause, Foreseen, Preview

_FORESEEN = 100
_CAUSES = 5
Row = dict[str, Any]


def trigger_row(one: TriggerRow, zone: tzinfo, *, is_only: bool) -> Row:
    """Return a trigger; it is selected by its name, or by its id if several have that name."""
    return {
        "id": one.id,
        "select": one.name if is_only and one.name else one.id,
        "name": one.name or one.id,
        "starts": one.starts or "",
        "text": one.text or "",
        "enabled": one.enabled,
        "firings": one.firings,
        "latest": format_local(one.fired_at, zone) if one.fired_at else "",
    }


def firing_row(one: FiringRow, zone: tzinfo) -> Row:
    """Return a firing with the runs that it started."""
    return {
        "at": format_local(one.fired_at, zone) if one.fired_at else "",
        "reason": reason_of(one),
        "runs": [{"id": run.id, "state": run.state or "PENDING"} for run in one.started],
        "state": one.state or "",
    }


def waiting_row(one: WaitingFiring, zone: tzinfo) -> Row:
    """Return a firing without a run; a dead letter has the key to redrive it."""
    return {
        "text": describe_waiting(one, zone),
        "key": one.key if one.is_dead else None,
    }


def preview_row(found: Preview, zone: tzinfo) -> Row:
    """Return the newest hundred firings of a preview."""
    return {
        "since": format_local(found.since, zone),
        "happened": found.happened,
        "count": len(found.firings),
        "firings": [_foreseen(one, zone) for one in found.firings[-_FORESEEN:]],
        "refused": found.refused,
        "notes": found.notes,
    }


def _foreseen(one: Foreseen, zone: tzinfo) -> Row:
    said = [_cause(cause, zone) for cause in one.causes[-_CAUSES:]]
    return {
        "at": format_local(one.at, zone),
        "value": one.value,
        "causes": said,
        "more": len(one.causes) - len(said),
        "parameters": msgspec.json.encode(one.parameters).decode(),
        "trouble": one.trouble,
    }


def _cause(one: Cause, zone: tzinfo) -> str:
    status = "" if one.kind == "time" else f" {one.status}"
    return f"{one.name}{status} {format_local(one.at, zone)}"
