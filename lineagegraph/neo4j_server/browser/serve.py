"""The guides and the style, written for the web server."""

from importlib.resources import files
from pathlib import Path

_HERE = "GUIDES"
"""What stands in the guides for the address that they are served at."""


def write_guides(folder: Path, address: str) -> None:
    """Write guides and style into a folder that is served at an address."""
    _write("served", folder, address)


def write_opening(folder: Path) -> None:
    """Write the page that gives Browser style, scripts and login: it must be of the same site."""
    _write("opening", folder, "")


def _write(part: str, folder: Path, address: str) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for each in files(__package__).joinpath(part).iterdir():
        text = each.read_text(encoding="utf-8").replace(_HERE, address.rstrip("/"))
        (folder / each.name).write_text(text, encoding="utf-8")
