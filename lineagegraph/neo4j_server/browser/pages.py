"""Neo4j Browser's pages, unpacked with our guides among them so that the server serves both."""

import shutil
from pathlib import Path
from zipfile import ZipFile

from lineagegraph.neo4j_server.browser.serve import write_guides, write_opening
from lineagegraph.neo4j_server.ports import Ports


def unpack(jar: Path, web: Path, ports: Ports) -> Path:
    """Return a folder below `web` with Browser's pages and this version's guides.

    It is served from the server's class path, if `jar` is not there too.
    """
    served = web / jar.stem
    if not served.exists():
        _unpack_pages(jar, served)
    guides = served / "browser" / "guides"
    write_guides(guides, guides_at(ports))
    write_opening(guides)
    return served


def guides_at(ports: Ports) -> str:
    """Return the address that a managed server has the guides at."""
    return f"http://localhost:{ports.http}/browser/guides"


def _unpack_pages(jar: Path, served: Path) -> None:
    part = served.with_name(f"{served.name}.part")
    shutil.rmtree(part, ignore_errors=True)
    with ZipFile(jar) as archive:
        archive.extractall(part, [each for each in archive.namelist() if _is_page(each)])
    part.replace(served)


def _is_page(name: str) -> bool:
    return name.startswith("browser/")
