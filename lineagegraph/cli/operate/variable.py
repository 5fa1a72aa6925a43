"""`variable set|get|list|unset|history`: named values for definitions and tasks."""

import json as json_text
import sys
from math import isfinite
from typing import Annotated, Any, NoReturn

import msgspec
import typer

from lineagegraph.admin import variables
from lineagegraph.authoring.current_variables import value_in
from lineagegraph.cli.connect import connected
from lineagegraph.cli.console import errors, print_json, print_table
from lineagegraph.cli.formatting import clock
from lineagegraph.cli.options import Json, Limit
from lineagegraph.liveness.daemons import nudge_daemons
from lineagegraph.model.names.keys import canonical_json
from lineagegraph.model.pipelines.parameters import as_text
from lineagegraph.model.pipelines.variables import checked_variable
from lineagegraph.settings import load_settings

app = typer.Typer(no_args_is_help=True, help="Manage named values for definitions and tasks.")
Name = Annotated[str, typer.Argument(help="Variable name.")]
_SHORT = 60


@app.command("set")
def set_(
    name: Name,
    value: Annotated[str, typer.Argument(help="JSON, or plain text; - reads standard input.")],
    text: Annotated[
        bool, typer.Option("--text", help="Store as text even if it is valid JSON.")
    ] = False,
) -> None:
    """Set a variable; definitions that read it are synced again."""
    given = sys.stdin.read() if value == "-" else value
    with connected(load_settings()) as graph:
        if variables.set_variable(graph, name, given if text else _value(given)):
            nudge_daemons(graph)
        else:
            errors.print(f"{name} has that value already")


@app.command()
def get(name: Name, json: Json = False) -> None:
    """Print a variable's value: text as it is, everything else as JSON.

    Inside a task's program it prints the value that the run uses.
    """
    with connected(load_settings()) as graph:
        value = value_in(graph, checked_variable(name))
    if value is None:
        raise variables.not_set(name)
    if json:
        print_json(_raw(value))
    else:
        sys.stdout.write(f"{as_text(value)}\n")


@app.command("list")
def list_(json: Json = False) -> None:
    """List the variables and who last changed each."""
    with connected(load_settings()) as graph:
        found = variables.list_variables(graph)
    if json:
        print_json([one._asdict() | {"value": _raw(one.value)} for one in found])
        return
    rows = [(one.name, _short(one.value), clock(one.changed_at), one.changed_by) for one in found]
    empty = "no variables: `lineagegraph variable set NAME VALUE` sets one"
    print_table(("NAME", "VALUE", "CHANGED", "BY"), rows, empty)


@app.command()
def unset(name: Name) -> None:
    """Remove a variable's value; its history stays."""
    with connected(load_settings()) as graph:
        variables.unset_variable(graph, name)
        nudge_daemons(graph)


@app.command()
def history(name: Name, limit: Limit = 100, json: Json = False) -> None:
    """List the changes of a variable, newest first."""
    with connected(load_settings()) as graph:
        found = variables.list_changes(graph, name, limit)
    if json:
        print_json([one._asdict() | {"value": _raw(one.value)} for one in found])
        return
    rows = [
        (clock(one.changed_at), "unset" if one.value is None else _short(one.value), one.changed_by)
        for one in found
    ]
    print_table(("CHANGED", "VALUE", "BY"), rows, "no changes")


def _value(given: str) -> Any:
    try:
        return json_text.loads(given, parse_constant=_refuse, parse_float=_finite)
    except (ValueError, RecursionError):
        return given


def _refuse(constant: str) -> NoReturn:
    """Raise `ValueError` for NaN or an infinity, which Python reads but JSON does not have."""
    raise ValueError(constant)


def _finite(number: str) -> float:
    """Return a number, or raise `ValueError` for one that is too large."""
    found = float(number)
    return found if isfinite(found) else _refuse(number)


def _raw(value: Any) -> msgspec.Raw:
    """Return JSON unparsed: integers may be longer than the encoder supports."""
    return msgspec.Raw(canonical_json(value).encode())


def _short(value: Any) -> str:
    text = canonical_json(value)
    return text if len(text) <= _SHORT else f"{text[: _SHORT - 1]}…"
