"""Neo4j Browser's pages, unpacked with our guides among them so that the server serves both."""

import shutil
from importlib.resources import as_file, files
from pathlib import Path
from zipfile import ZipFile


def unpack(jar: Path, web: Path) -> None:
    """Put Browser's pages and the guides of this version into `web`, which is then served."""
    if not (web / "browser" / "index.html").exists():
        _unpack_pages(jar, web)
    with as_file(files(__package__) / "guides") as guides:
        shutil.copytree(guides, web / "browser" / "guides", dirs_exist_ok=True)


def _unpack_pages(jar: Path, web: Path) -> None:
    part = web.with_name(f"{web.name}.part")
    shutil.rmtree(part, ignore_errors=True)
    shutil.rmtree(web, ignore_errors=True)
    with ZipFile(jar) as archive:
        archive.extractall(part, [each for each in archive.namelist() if _is_page(each)])
    part.replace(web)


def _is_page(name: str) -> bool:
    return name.startswith("browser/")
