"""The guides that Neo4j Browser shows, as tests read them."""

import re
from collections.abc import Iterator
from importlib.resources import files

from lineagegraph.neo4j_server import browser

_BLOCK = re.compile(r"^```cypher\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def guides() -> dict[str, str]:
    """Return the text of each guide, by name."""
    served = files(browser).joinpath("served")
    pages = (page for page in served.iterdir() if page.name.endswith(".md"))
    return {p.name.removesuffix(".md"): p.read_text(encoding="utf-8") for p in pages}


def guide_queries() -> Iterator[tuple[str, str]]:
    """Yield each query that a guide offers, with the guide's name."""
    for name, text in sorted(guides().items()):
        yield from ((name, block) for block in _BLOCK.findall(text) if block[0] != ":")
