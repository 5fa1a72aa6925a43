"""How a thing that a command shows is opened in Neo4j Browser."""

from rich.style import Style
from rich.text import Text

from lineagegraph.cli.console import results
from lineagegraph.neo4j_server import Noun, browser_link
from lineagegraph.settings import Settings


def in_browser(settings: Settings, noun: Noun, key: str) -> Text | None:
    """Return the command that opens a thing in Neo4j Browser, as a link to the same.

    None where nobody looks, or where it is not known where Browser is.
    """
    url = browser_link(settings, noun, key) if results.is_terminal else None
    return Text(f"lineagegraph browser {noun}:{key}", Style(link=url)) if url else None
