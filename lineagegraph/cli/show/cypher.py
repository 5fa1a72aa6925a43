"""`cypher`: a shipped query by name, or one from standard input; both read-only."""

import sys
from typing import Annotated, Any

import msgspec
import typer

from lineagegraph.cli.connect import connected
from lineagegraph.cli.console import errors, print_json, print_rows, print_table
from lineagegraph.cli.options import Json
from lineagegraph.graph import read_notices
from lineagegraph.graph.statements import list_statements, parameters_of, statement, summary
from lineagegraph.settings import load_settings


def cypher(
    name: Annotated[
        str | None, typer.Argument(help="A shipped query, or - for one from standard input.")
    ] = None,
    param: Annotated[
        list[str] | None,
        typer.Option("--param", "-p", help="Parameter as name=value (repeatable)."),
    ] = None,
    json: Json = False,
) -> None:
    """Run a shipped query or your own, read-only; without a name, list the shipped ones."""
    if name is None:
        _list(json)
        return
    text = sys.stdin.read() if name == "-" else statement(name)
    parameters = dict(map(_param, param or []))
    _require(text, parameters)
    with connected(load_settings()) as graph:
        rows = graph.query(text, parameters)
        for notice in read_notices(graph, text, parameters) if name == "-" else ():
            errors.print(notice)
    if json:
        print_json(rows)
    else:
        columns = list(rows[0]) if rows else []
        print_rows(columns, [[_cell(value) for value in row.values()] for row in rows], "no rows")


def _list(json: bool) -> None:
    found = {name: summary(name) for name in list_statements()}
    if json:
        print_json(found)
    else:
        print_table(("QUERY", "WHAT IT DOES"), found.items(), "no queries")


def _require(text: str, parameters: dict[str, Any]) -> None:
    missing = [name for name in parameters_of(text) if name not in parameters]
    if missing:
        raise typer.BadParameter(
            f"the query needs {', '.join(missing)}: give each as NAME=VALUE (null for none)",
            param_hint="--param",
        )


def _param(text: str) -> tuple[str, Any]:
    """Parse `name=value`, whose value is JSON if valid, else text."""
    name, equals, value = text.partition("=")
    if not equals or not name:
        raise typer.BadParameter(f"{text!r} is not name=value", param_hint="--param")
    try:
        return name, msgspec.json.decode(value)
    except msgspec.DecodeError:
        return name, value


def _cell(value: Any) -> str:
    if value is None or isinstance(value, str):
        return value or ""
    return msgspec.json.encode(value).decode()
