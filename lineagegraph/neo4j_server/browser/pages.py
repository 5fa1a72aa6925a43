"""Neo4j Browser's pages, unpacked with our guides among them so that the server serves both."""

import shutil
from importlib.resources import as_file, files
from pathlib import Path
from zipfile import ZipFile


def unpack(jar: Path, web: Path) -> Path:
    """Return a folder below `web` with Browser's pages and this version's guides.

    It is served where it comes first on the server's class path.
    """
    served = web / jar.stem
    if not served.exists():
        _unpack_pages(jar, served)
    with as_file(files(__package__) / "guides") as guides:
        shutil.copytree(guides, served / "browser" / "guides", dirs_exist_ok=True)
    return served


def _unpack_pages(jar: Path, served: Path) -> None:
    part = served.with_name(f"{served.name}.part")
    shutil.rmtree(part, ignore_errors=True)
    with ZipFile(jar) as archive:
        archive.extractall(part, [each for each in archive.namelist() if _is_page(each)])
    part.replace(served)


def _is_page(name: str) -> bool:
    return name.startswith("browser/")
