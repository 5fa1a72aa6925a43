"""Variables, their changes, and the values that runs saw. Values are JSON texts."""

import json
from datetime import datetime
from typing import Any

import msgspec

from lineagegraph.graph import Transaction, bound
from lineagegraph.model.names.keys import canonical_json


class VariableRow(msgspec.Struct, frozen=True):
    """A variable that is set, and its last change."""

    name: str
    value: str
    changed_at: datetime
    changed_by: str


class VariableChange(msgspec.Struct, frozen=True):
    """A change of a variable; without a value it was unset."""

    number: int
    value: str | None
    changed_at: datetime
    changed_by: str


class ValueRow(msgspec.Struct, frozen=True):
    """The value of a variable."""

    name: str
    value: str


def read_value(text: str) -> Any:
    """Return the value of a JSON text of the graph."""
    return json.loads(text)


def see_variable(tx: Transaction, run_id: str, name: str) -> dict[str, Any]:
    """Return the variables that a run read, with one more; earlier values stay the same."""
    seen: dict[str, Any] = json.loads(claim_seen(tx, run_id=run_id) or "{}")
    if name not in seen:
        text = get_value(tx, name=name)
        seen[name] = None if text is None else read_value(text)
        set_seen(tx, run_id=run_id, variables=canonical_json(seen))
    return seen


@bound
def set_variable(
    tx: Transaction, *, name: str, value: str | None, by: str, most: int, now: datetime | None
) -> bool: ...


@bound
def get_variable(tx: Transaction, *, name: str) -> VariableRow | None: ...


@bound
def get_value(tx: Transaction, *, name: str) -> str | None: ...


@bound
def list_variables(tx: Transaction) -> list[VariableRow]: ...


@bound
def list_values(tx: Transaction) -> list[ValueRow]: ...


@bound
def list_changes(tx: Transaction, *, name: str, limit: int) -> list[VariableChange]: ...


@bound
def claim_seen(tx: Transaction, *, run_id: str) -> str | None: ...


@bound
def set_seen(tx: Transaction, *, run_id: str, variables: str) -> None: ...


@bound
def set_initial(tx: Transaction, *, run_id: str) -> None: ...
