"""Addresses that open Neo4j Browser with a query in its editor."""

from importlib.resources import files
from typing import Literal
from urllib.parse import quote

from lineagegraph.neo4j_server.address import browser_of
from lineagegraph.neo4j_server.browser.literal import inline
from lineagegraph.neo4j_server.folder import server_folder
from lineagegraph.neo4j_server.ports import remembered
from lineagegraph.settings import Settings

Noun = Literal["job", "dataset", "column", "run", "version", "trigger", "firing", "sensor"]


def browser_link(settings: Settings, noun: Noun, key: str) -> str | None:
    """Return an address that opens Browser with a query for one thing in the editor.

    The key is the one of the thing's node: a job's `key`, a run's `id`, a version's `hash`. None
    if the Browser of that Neo4j is unknown: setting `neo4j_browser_url`.
    """
    address = browser_address(settings)
    if address is None:
        return None
    query = files(__package__).joinpath("queries", f"{noun}.cypher").read_text(encoding="utf-8")
    return f"{address}&cmd=edit&arg={quote(inline(query.strip(), {'key': key}), safe='')}"


def browser_address(settings: Settings) -> str | None:
    """Return the address of Browser, with the user filled in, if it is known."""
    if not settings.neo4j_uri:
        ports = remembered(server_folder(settings).ports_file)
        return browser_of(ports) if ports else None
    if not settings.neo4j_browser_url:
        return None
    scheme, _, host = settings.neo4j_uri.rpartition("://")
    address = f"{settings.neo4j_browser_url}?connectURL={scheme}://"
    address += f"{quote(settings.neo4j_user, safe='')}@{host}"
    return f"{address}&db={settings.neo4j_database}" if settings.neo4j_database else address
