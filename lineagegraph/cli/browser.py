"""`browser`: Neo4j Browser on the graph."""

import webbrowser
from typing import Annotated

import typer

from lineagegraph.cli.connect import start_server
from lineagegraph.cli.console import results
from lineagegraph.errors import SettingsError
from lineagegraph.settings import load_settings


def browser(
    show: Annotated[bool, typer.Option("--show", help="Only print the address.")] = False,
) -> None:
    """Open Neo4j Browser on the managed Neo4j, and print the login."""
    settings = load_settings()
    if settings.neo4j_uri:
        raise SettingsError(
            f"the graph is {settings.neo4j_uri}, which is not managed here: open that server's "
            "own Browser"
        )
    address = start_server(settings)
    results.print(f"{address.browser}")
    results.print(f"user {address.user}, password {address.password}")
    if not show:
        webbrowser.open(address.browser)
