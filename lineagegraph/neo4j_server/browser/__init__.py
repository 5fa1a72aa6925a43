"""Neo4j Browser on the graph: its pages, our guides, scripts and style, and links into it."""

from lineagegraph.neo4j_server.browser.link import Noun, browser_address, browser_link

__all__ = ["Noun", "browser_address", "browser_link"]
