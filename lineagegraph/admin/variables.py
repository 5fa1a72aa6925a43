"""Set, unset and read variables."""

from datetime import datetime
from typing import Any, NamedTuple

from lineagegraph.errors import NotFound
from lineagegraph.graph import Graph, Transaction
from lineagegraph.model.actor import this_person
from lineagegraph.model.pipelines.variables import checked_variable, variable_text
from lineagegraph.store.admin import variables
from lineagegraph.store.admin.audit import audited
from lineagegraph.store.admin.variables import VariableChange, VariableRow, read_value
from lineagegraph.store.pipelines import definition_files

KEPT_CHANGES = 1_000


class Variable(NamedTuple):
    """A variable that is set, and who changed it last."""

    name: str
    value: Any
    changed_at: datetime
    changed_by: str


class VariableUpdate(NamedTuple):
    """A change of a variable; the value None means unset."""

    number: int
    value: Any
    changed_at: datetime
    changed_by: str


def set_variable(graph: Graph, name: str, value: Any, *, by: str | None = None) -> bool:
    """Set a variable to a JSON value; return whether it changed.

    Raises `InvalidVariable` for null, for invalid JSON and for more than 64 kB. Daemons read the
    definitions that use the variable again, at once if they are nudged.
    """
    text = variable_text(checked_variable(name), value)
    return graph.write(_change_to, name, text, by or this_person())


def unset_variable(graph: Graph, name: str, *, by: str | None = None) -> None:
    """Unset a variable; its history stays. Raises `NotFound` if it is not set."""
    graph.write(_unset, checked_variable(name), by or this_person())


def get_variable(graph: Graph, name: str) -> Variable:
    """Return a variable; raise `NotFound` if it is not set."""
    row = graph.read(variables.get_variable, name=checked_variable(name))
    if row is None:
        raise not_set(name)
    return _variable(row)


def list_variables(graph: Graph) -> list[Variable]:
    """Return the variables that are set, by name."""
    return [_variable(row) for row in graph.read(variables.list_variables)]


def list_changes(graph: Graph, name: str, limit: int = 100) -> list[VariableUpdate]:
    """Return the changes of a variable with author and time, newest first."""
    rows = graph.read(variables.list_changes, name=checked_variable(name), limit=limit)
    if not rows:
        raise NotFound(f"variable {name!r} was never set")
    return [_said(row) for row in rows]


def _unset(tx: Transaction, name: str, by: str) -> None:
    if variables.get_value(tx, name=name) is None:
        raise not_set(name)
    _change_to(tx, name, None, by)


def _change_to(tx: Transaction, name: str, value: str | None, by: str) -> bool:
    """Change a variable, and have the definitions read again that asked for it."""
    with audited(tx, f"variable.{'set' if value is not None else 'unset'}", name):
        changed = variables.set_variable(
            tx, name=name, value=value, by=by, most=KEPT_CHANGES, now=None
        )
    if changed:
        definition_files.set_due(tx, variable=name, now=None)
    return changed


def not_set(name: str) -> NotFound:
    """Return the error for a variable without a value."""
    return NotFound(
        f"variable {name!r} is not set: `lineagegraph variable list` lists the variables"
    )


def _variable(row: VariableRow) -> Variable:
    return Variable(row.name, read_value(row.value), row.changed_at, row.changed_by)


def _said(row: VariableChange) -> VariableUpdate:
    value = None if row.value is None else read_value(row.value)
    return VariableUpdate(row.number, value, row.changed_at, row.changed_by)
