"""The plan of a rerun as text for a terminal."""

import json
from collections.abc import Iterator
from typing import Any

from rich.console import Console
from rich.text import Text

from lineagegraph.model.runs.rerun import Difference
from lineagegraph.reruns.plan import Plan


def print_plan(plan: Plan, console: Console) -> None:
    """Print the tasks of a rerun, the differences from the original run, and what is missing."""
    tasks = ", ".join(plan.tasks) or "all tasks"
    console.print(Text.assemble((plan.policy, "bold"), f"  {plan.job}: {tasks}"))
    if not plan.differences:
        console.print("  no differences")
    for line in _lines(plan):
        console.print(line)


def _lines(plan: Plan) -> Iterator[Text]:
    for one in plan.differences:
        yield Text.assemble("  ", (f"{one.what:<10}", "dim"), f"{one.name}  {_change(one)}")
    for missing in plan.missing:
        yield Text.assemble("  ", (f"{'missing':<10}", "bold red"), missing)


def _change(one: Difference) -> str:
    return f"{_value(one.before)} → {_value(one.after)}"


def _value(value: Any) -> str:
    if value is None:
        return "–"
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
