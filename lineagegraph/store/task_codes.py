"""The functions of tasks, by value: of a version as it was read last, of a run for ever."""

from lineagegraph.graph import Transaction, bound
from lineagegraph.model.task_code import TaskCode


@bound
def merge_task_code(
    tx: Transaction,
    *,
    version: str,
    sha256: str,
    python: str,
    content: bytes,
    left_out: list[str],
    unnamed: list[str],
) -> None: ...


@bound
def claim_task_code(tx: Transaction, *, id: str) -> TaskCode | None: ...
