"""`neo4j start|stop|status` and `doctor`: the managed server."""

from typing import Annotated

import typer
from rich.text import Text

from lineagegraph import neo4j_server
from lineagegraph.cli.connect import connected_if_running, start_server
from lineagegraph.cli.console import print_json, print_table, results
from lineagegraph.cli.operate.security import attack
from lineagegraph.cli.options import Json
from lineagegraph.graph import answers
from lineagegraph.neo4j_server.doctor import Finding, check
from lineagegraph.neo4j_server.doors import check_doors
from lineagegraph.settings import load_settings

app = typer.Typer(no_args_is_help=True, help="Start, stop and check the managed Neo4j.")


@app.command()
def start(json: Json = False) -> None:
    """Start the managed Neo4j, or print its address if it is running."""
    _print_address(start_server(load_settings()), json)


@app.command()
def stop() -> None:
    """Stop the managed Neo4j."""
    results.print("stopped" if neo4j_server.stop(load_settings()) else "it was not running")


@app.command()
def status(json: Json = False) -> None:
    """Show whether the managed Neo4j is running, and where; exit 1 if it is not."""
    found = neo4j_server.status(load_settings(), answers)
    if found.address is not None:
        _print_address(found.address, json)
    elif json:
        print_json({"state": found.state, "version": found.version, "folder": str(found.folder)})
    else:
        results.print(f"{found.state}, Neo4j {found.version}, data in {found.folder}")
    if found.state is not neo4j_server.ServerState.RUNNING:
        raise typer.Exit(1)


def doctor(
    security: Annotated[
        bool,
        typer.Option("--security", help="Attack the running server and graph, without changes."),
    ] = False,
    json: Json = False,
) -> None:
    """Check Java, ports, disks, versions and the reach of queries; exit 1 on a problem."""
    settings = load_settings()
    found = attack(settings) if security else check(settings)
    with connected_if_running(settings) as graph:
        found += check_doors(graph, settings) if graph else []
    if json:
        print_json(found)
    else:
        print_table(("", "WHAT", "FOUND", "WHAT TO DO"), map(_row, found), "")
    if not all(finding.ok for finding in found):
        raise typer.Exit(1)


def _print_address(address: neo4j_server.ServerAddress, json: bool) -> None:
    facts = {"bolt": address.bolt, "browser": address.browser, "user": address.user}
    if json:
        print_json({**facts, "pid": address.pid})
        return
    for name, value in facts.items():
        results.print(f"{name:<8} {value}")


def _row(finding: Finding) -> tuple[str | Text, ...]:
    mark = Text("ok", "green") if finding.ok else Text("bad", "bold red")
    return mark, finding.name, finding.detail, finding.advice
