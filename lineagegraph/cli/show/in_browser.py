"""Links that open a node in Neo4j Browser."""

from rich.style import Style
from rich.text import Text

from lineagegraph.cli.console import results
from lineagegraph.neo4j_server import Noun, browser_link
from lineagegraph.settings import Settings


def in_browser(settings: Settings, noun: Noun, key: str) -> Text | None:
    """Return the command that opens a node in Neo4j Browser, as a link.

    None if output is not a terminal or the address of Browser is not known.
    """
    url = browser_link(settings, noun, key) if results.is_terminal else None
    return Text(f"lineagegraph browser {noun}:{key}", Style(link=url)) if url else None
