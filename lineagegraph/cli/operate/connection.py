"""`connection set|list|show|unset`: credentials of databases and servers, kept out of the graph."""

import sys
from typing import Annotated

import typer

from lineagegraph.cli.console import print_json, print_table, results
from lineagegraph.cli.options import Json
from lineagegraph.sensors.connections import Connections
from lineagegraph.settings import load_settings

app = typer.Typer(
    no_args_is_help=True, help="Keep credentials of databases and servers, outside the graph."
)
Name = Annotated[str, typer.Argument(help="Connection name.")]


@app.command("set")
def set_(
    name: Name,
    value: Annotated[
        str | None,
        typer.Argument(
            help="A URL or a JSON object. Without it you are prompted; - reads standard input."
        ),
    ] = None,
) -> None:
    """Store a connection on this machine, for code that refers to it by name."""
    said = value if value not in (None, "-") else _read(name)
    _connections().set(name, said or "")


@app.command("list")
def list_(json: Json = False) -> None:
    """List the connections of this machine, without their secrets."""
    connections = _connections()
    found = [
        {"name": name, "set_in": place, **connections.find(name).shown()}
        for name, place in sorted(connections.names().items())
    ]
    if json:
        print_json(found)
        return
    rows = [(one["name"], one["set_in"], one.get("url"), one.get("user")) for one in found]
    empty = "no connections: `lineagegraph connection set NAME` sets one"
    print_table(("NAME", "SET IN", "URL", "USER"), rows, empty)


@app.command()
def show(name: Name, json: Json = False) -> None:
    """Show a connection without its secrets."""
    found = _connections().find(name).shown()
    if json:
        print_json({"name": name, **found})
        return
    for part, said in found.items():
        results.print(f"{part}: {said}")


@app.command()
def unset(name: Name) -> None:
    """Delete a connection."""
    _connections().unset(name)


def _connections() -> Connections:
    return Connections(load_settings().home)


def _read(name: str) -> str:
    if sys.stdin.isatty():
        return str(typer.prompt(f"URL or JSON object of {name}", hide_input=True))
    return sys.stdin.read()
