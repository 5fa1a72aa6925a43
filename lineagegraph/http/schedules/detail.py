"""Schedules as they are answered."""

from collections.abc import Sequence
from typing import Any

from lineagegraph.graph import Graph
from lineagegraph.http.schedules.to_cdap import Programs, constraint_shape, trigger_shape
from lineagegraph.queries.triggers.schedules import Schedule, watched_programs

SCHEDULED, SUSPENDED = "SCHEDULED", "SUSPENDED"


def details(graph: Graph, found: Sequence[Schedule]) -> list[dict[str, Any]]:
    """Return schedules as CDAP answers them."""
    programs = watched_programs(graph, found)
    return [_detail(schedule, programs) for schedule in found]


def status_of(schedule: Schedule) -> str:
    """Return CDAP's word for whether a schedule is enabled."""
    return SCHEDULED if schedule.row.enabled else SUSPENDED


def _detail(schedule: Schedule, programs: Programs) -> dict[str, Any]:
    row, rule = schedule
    shape: dict[str, Any] = {
        "namespace": row.namespace,
        "application": row.application,
        "name": row.name,
        "description": rule.description or "",
        "program": {"programName": row.program, "programType": "WORKFLOW"},
        "properties": rule.properties,
        "trigger": trigger_shape(rule, row.namespace, programs),
        "constraints": [constraint_shape(one) for one in rule.constraints],
        "status": status_of(schedule),
        "lastUpdateTime": int(row.updated_at.timestamp() * 1000),
    }
    return shape if rule.ttl is None else shape | {"timeoutMillis": round(rule.ttl * 1000)}
