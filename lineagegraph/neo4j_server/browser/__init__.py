"""Neo4j Browser on the graph: its pages, our guides, scripts and style, and links into it."""

from lineagegraph.neo4j_server.browser.hand_in import hand_in_scripts, login_page
from lineagegraph.neo4j_server.browser.link import Noun, browser_address, browser_link
from lineagegraph.neo4j_server.browser.serve import write_guides

__all__ = [
    "Noun",
    "browser_address",
    "browser_link",
    "hand_in_scripts",
    "login_page",
    "write_guides",
]
