"""The pictures of the documentation: `python -m docs.screenshots [NAME…]` takes them anew.

Each is taken in a real JupyterLab, in Chromium, of a graph made for it in a Neo4j of its own.
"""

import argparse
import os
import tempfile
from collections.abc import Iterator
from contextlib import chdir, closing, contextmanager
from pathlib import Path

from playwright.sync_api import expect, sync_playwright

from docs.screenshots.pictures import PICTURES
from docs.screenshots.stage import Stage
from lineagegraph import neo4j_server
from lineagegraph.graph import Graph, answers, migrate
from lineagegraph.neo4j_server import ServerAddress
from lineagegraph.neo4j_server.browser import browser_address
from lineagegraph.settings import Settings
from tests.acceptance.notebook.lab import Lab
from tests.acceptance.processes import shared
from tests.chromium import chromium

_IMAGES = Path(__file__).parents[1] / "images"
_WIDTH, _HEIGHT = 1280, 1000
_MOST_BYTES = 200_000
_SECONDS = 60


def main() -> None:
    """Take the pictures that are named, or all."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(PICTURES))
    parser.add_argument("--home", type=Path, help="a folder whose Neo4j stays, and is emptied")
    given = parser.parse_args()
    if unknown := set(given.names) - PICTURES.keys():
        parser.error(f"no picture {', '.join(sorted(unknown))}: there are {', '.join(PICTURES)}")
    expect.set_options(timeout=_SECONDS * 1000)
    with tempfile.TemporaryDirectory() as folder, staged(given.home, Path(folder)) as stage:
        tempfile.tempdir = folder
        _share_a_key(Path(folder, "signing.key"))
        for name in given.names or PICTURES:
            stage.empty()
            file = _IMAGES / f"{name}.png"
            with chdir("."):  # and back: a run that is carried out in this process moves it
                PICTURES[name](stage).screenshot(path=file)
            size = file.stat().st_size
            print(f"{file.name}: {size:,} bytes")
            assert size <= _MOST_BYTES, f"{name} is too large for the documentation"


def _share_a_key(file: Path) -> None:
    """Let projects with homes of their own sign code for this process, which runs it."""
    file.touch(mode=0o600)
    file.write_text("5e" * 32)
    os.environ["LINEAGEGRAPH_SIGNING_KEY_FILE"] = str(file)


@contextmanager
def staged(home: Path | None, folder: Path) -> Iterator[Stage]:
    """Start a Neo4j, a JupyterLab and a browser."""
    settings = Settings(home=home or folder / "home", neo4j_uri=None, neo4j_heap="512m")
    server = neo4j_server.start(settings, answers)
    try:
        with Graph(server.bolt, server.user, server.password) as graph, sync_playwright() as driver:
            migrate(graph)
            with closing(Lab(folder / "lab", _client(settings, server, folder))) as lab:
                browser = driver.chromium.launch(executable_path=chromium(), args=["--no-sandbox"])
                page = browser.new_page(viewport={"width": _WIDTH, "height": _HEIGHT})
                yield Stage(settings, graph, server, lab, page)
    finally:
        if home is None:
            neo4j_server.stop(settings)


def _client(settings: Settings, server: ServerAddress, folder: Path) -> dict[str, str]:
    """Return the settings of kernels, which know where Neo4j Browser is."""
    browser = (browser_address(settings) or "").partition("?")[0]
    return shared(server, folder / "client") | {"LINEAGEGRAPH_NEO4J_BROWSER_URL": browser}


if __name__ == "__main__":
    main()
