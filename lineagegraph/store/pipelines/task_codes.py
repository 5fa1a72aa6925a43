"""The functions of tasks, by value: of a version as it was read last, of a run for ever."""

from typing import Any

from lineagegraph.graph import Transaction, bound
from lineagegraph.model.pipelines.task_code import TaskCode


@bound
def merge_task_codes(tx: Transaction, *, rows: list[dict[str, Any]]) -> None: ...


@bound
def claim_task_code(tx: Transaction, *, id: str) -> TaskCode | None: ...
