"""Trees as rows with indentation."""

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from lineagegraph.notebook.results.result import Result
from lineagegraph.queries.runs.hierarchy import Branch
from lineagegraph.queries.triggers.why import OPERATORS, ConditionStanding, Why
from lineagegraph.store.jobs.hierarchy import JobTreeRow

INDENT = "\N{NO-BREAK SPACE}" * 4


def list_jobs(branches: Sequence[Branch[JobTreeRow]], left_out: int) -> Result:
    """Return jobs, each with all that is below it, and how many were left out."""
    rows = [row for branch in branches for row in _jobs(branch, 0)]
    columns = ("job", *JobTreeRow.__struct_fields__)
    shown = ("job", "namespace", "kind", "state", "started_at", "runs")
    return Result(columns, rows, shown=shown, note=note_rest(left_out))


def note_rest(number: int) -> str:
    """Return how many rows were left out of a list, if any."""
    return f"{number} more: `limit` shows them" if number > 0 else ""


def list_conditions(why: Why) -> Result:
    """Return the conditions of a trigger and whether each holds."""
    rows = [row for cell in why.cells for row in _conditions(cell.condition, cell.value, 0)]
    trigger = why.trigger.trigger
    last = why.trigger.firings[0].reason if why.trigger.firings else None
    note = "; ".join(
        (
            f"{trigger.starts} starts when {trigger.text}",
            *([] if trigger.enabled else [f"suspended since {trigger.suspended_at}"]),
            f"fired last: {last}" if last else "has never fired",
        )
    )
    columns = ("value", "holds", "condition", "missing", "happened", "next_at")
    has_values = any(cell.value is not None for cell in why.cells)
    return Result(columns, rows, note=note, shown=columns if has_values else columns[1:])


def _jobs(branch: Branch[JobTreeRow], depth: int) -> Iterator[tuple[Any, ...]]:
    name = branch.item.simple_name if depth else branch.item.name
    yield (INDENT * depth + name, *msgspec.structs.astuple(branch.item))
    for child in branch.children:
        yield from _jobs(child, depth + 1)


def _conditions(
    standing: ConditionStanding, value: str | None, depth: int
) -> Iterator[tuple[Any, ...]]:
    said = OPERATORS.get(standing.operator, standing.text)
    name = INDENT * depth + said
    yield value, standing.is_true, name, standing.missing, standing.total, standing.next_at
    for operand in standing.operands:
        yield from _conditions(operand, value, depth + 1)
