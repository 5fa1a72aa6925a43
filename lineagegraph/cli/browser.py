"""`browser`: Neo4j Browser on the graph."""

import webbrowser
from typing import Annotated

import typer

from lineagegraph.cli.connect import connected, start_server
from lineagegraph.cli.console import results
from lineagegraph.errors import SettingsError
from lineagegraph.explore.find_any import find_any
from lineagegraph.neo4j_server import browser_address, browser_link
from lineagegraph.settings import Settings, load_settings


def browser(
    what: Annotated[
        str | None,
        typer.Argument(
            help="A job, dataset, DATASET#COLUMN, run, version, trigger or sensor to look at."
        ),
    ] = None,
    show: Annotated[bool, typer.Option("--show", help="Only print the address.")] = False,
) -> None:
    """Open Neo4j Browser, on one thing if it is named, and print the login."""
    settings = load_settings()
    address = _address(settings, what)
    results.print(address, soft_wrap=True)
    if not settings.neo4j_uri:
        server = start_server(settings)
        results.print(f"user {server.user}, password {server.password}")
    if not show:
        webbrowser.open(address)


def _address(settings: Settings, what: str | None) -> str:
    if not settings.neo4j_uri:
        start_server(settings)
    if what is None:
        address = browser_address(settings)
    else:
        with connected(settings) as graph:
            thing = find_any(graph, what)
        address = browser_link(settings, thing.noun, thing.key)
    if address is None:
        raise SettingsError(
            f"the graph is {settings.neo4j_uri}, which is not managed here: say where its Browser "
            "is with LINEAGEGRAPH_NEO4J_BROWSER_URL"
        )
    return address
