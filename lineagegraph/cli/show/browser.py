"""`browser`: Neo4j Browser on the graph, with guides and scripts."""

import webbrowser
from pathlib import Path
from typing import Annotated

import msgspec
import typer

from lineagegraph.cli.connect import connected, start_server
from lineagegraph.cli.console import results
from lineagegraph.errors import SettingsError
from lineagegraph.neo4j_server.browser import (
    browser_address,
    browser_link,
    hand_in_scripts,
    login_page,
    write_guides,
)
from lineagegraph.neo4j_server.folder import server_folder
from lineagegraph.queries.search.find_any import find_any
from lineagegraph.queries.search.saved_scripts import saved_scripts, write_zip
from lineagegraph.settings import Settings, load_settings


def browser(
    what: Annotated[
        str | None,
        typer.Argument(
            help="Job, dataset, DATASET#COLUMN, trigger, run, version or sensor to open."
        ),
    ] = None,
    show: Annotated[bool, typer.Option("--show", help="Only print the address.")] = False,
    export: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER", help="Write guides, scripts and style to a folder, for any Neo4j."
        ),
    ] = None,
    served_at: Annotated[
        str, typer.Option(metavar="URL", help="URL at which the exported folder will be served.")
    ] = "http://localhost:8000",
) -> None:
    """Open Neo4j Browser, optionally on one node, and print the login."""
    settings = load_settings()
    if export:
        _export(export, served_at)
    elif settings.neo4j_uri:
        address = _address(settings, what)
        results.print(address, soft_wrap=True)
        _open_unless(show, address)
    else:
        _open_managed(settings, what, show)


def _open_managed(settings: Settings, what: str | None, show: bool) -> None:
    server = start_server(settings)
    folder = server_folder(settings)
    hand_in_scripts(folder, [msgspec.structs.asdict(script) for script in saved_scripts()])
    address = _address(settings, what)
    results.print(address, soft_wrap=True)
    results.print(f"user {server.user}, password {server.password}")
    _open_unless(show, login_page(folder, address, server.password))


def _open_unless(show: bool, address: str) -> None:
    if not show:
        webbrowser.open(address)


def _address(settings: Settings, what: str | None) -> str:
    if what is None:
        address = browser_address(settings)
    else:
        with connected(settings) as graph:
            thing = find_any(graph, what)
        address = browser_link(settings, thing.noun, thing.key)
    if address is None:
        raise SettingsError(
            f"the graph at {settings.neo4j_uri} is not managed here: set the address of its "
            "Browser with LINEAGEGRAPH_NEO4J_BROWSER_URL"
        )
    return address


def _export(folder: Path, served_at: str) -> None:
    write_guides(folder, served_at)
    write_zip(saved_scripts(), folder / "scripts.zip")
    results.print(f"written to {folder}: see its README.md")
