"""Tasks that runs added to their versions, with their functions by value."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

import msgspec

from lineagegraph.graph import Transaction, bound
from lineagegraph.model.names.keys import canonical_hash, canonical_json
from lineagegraph.model.pipelines.definition import Task
from lineagegraph.model.pipelines.expansion import Expansion
from lineagegraph.model.pipelines.task_code import TaskCode
from lineagegraph.model.typed import decode_json


class ExpansionRow(msgspec.Struct, frozen=True):
    """A group of tasks; `behind` has names, `definition` is JSON."""

    behind: list[str]
    definition: str


def write_expansions(
    tx: Transaction, run_id: str, expansions: Sequence[Expansion], codes: Sequence[TaskCode]
) -> None:
    """Store tasks as a part of a run; repeated ones are stored once."""
    rows = [_row(run_id, one) for one in expansions]
    merge_expansions(tx, run_id=run_id, rows=rows, now=None)
    merge_codes(tx, rows=[msgspec.to_builtins(code, builtin_types=(bytes,)) for code in codes])
    link_codes(tx, rows=[{"key": row["key"], "code": row["code"]} for row in rows if row["code"]])


def read_expansions(tx: Transaction, run_id: str) -> tuple[Expansion, ...]:
    """Return the tasks that a run added, in their order."""
    return tuple(_expansion(row) for row in list_expansions(tx, run_id=run_id))


def _row(run_id: str, one: Expansion) -> dict[str, Any]:
    work = one.work
    return {
        "key": canonical_hash([run_id, *one.names]),
        "name": one.task.name,
        "path": one.path,
        "behind": list(one.behind),
        "definition": msgspec.json.encode(one.task).decode(),
        "code": work.code,
        "tasks": [
            {
                "key": canonical_hash([run_id, *one.names, key]),
                "name": key,
                "path": f"{one.path}.{key}",
                "values": canonical_json(values),
            }
            for key, values in zip(work.keys, work.values, strict=True)
        ],
    }


def _expansion(row: ExpansionRow) -> Expansion:
    task = decode_json(row.definition, into=Task)
    return Expansion(behind=tuple(row.behind), task=task)


@bound
def merge_expansions(
    tx: Transaction, *, run_id: str, rows: list[dict[str, Any]], now: datetime | None
) -> None: ...


@bound
def merge_codes(tx: Transaction, *, rows: list[dict[str, Any]]) -> None: ...


@bound
def link_codes(tx: Transaction, *, rows: list[dict[str, str]]) -> None: ...


@bound
def list_expansions(tx: Transaction, *, run_id: str) -> list[ExpansionRow]: ...


@bound
def get_code(tx: Transaction, *, sha256: str) -> TaskCode | None: ...
