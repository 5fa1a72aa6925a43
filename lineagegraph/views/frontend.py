"""The files of the frontend, as widgets and the web page need them."""

from importlib.resources import files
from pathlib import Path


def frontend_folder() -> Path:
    """Return the folder of the frontend."""
    return Path(str(files("lineagegraph").joinpath("frontend")))


def read_frontend(file: str) -> str:
    """Return the text of a file of the frontend."""
    return (frontend_folder() / file).read_text("utf-8")


def scoped_style(name: str) -> str:
    """Return the style of a view, which applies below an element with its name.

    Several views may be in one page.
    """
    return f'@scope ([data-widget="{name}"]) {{\n{read_frontend(f"{name}/{name}.css")}}}\n'
