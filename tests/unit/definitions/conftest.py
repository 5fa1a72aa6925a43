"""Projects of definition files, written and read as users do."""

from collections.abc import Callable
from pathlib import Path
from textwrap import dedent

import pytest

from lineagegraph.reading.parser import ParsedPipeline, parse

HEAD = "import lineagegraph as lg\nfrom lineagegraph import on\n"

Write = Callable[[str, str], Path]
ReadFile = Callable[[str], list[ParsedPipeline]]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """An empty project."""
    (tmp_path / "lineagegraph.toml").touch()
    return tmp_path


@pytest.fixture
def write(root: Path) -> Write:
    """Write a definition file; the usual two imports are its first two lines."""

    def write(name: str, text: str) -> Path:
        file = root / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(HEAD + dedent(text))
        return file

    return write


@pytest.fixture
def read(root: Path, write: Write) -> ReadFile:
    """Write a text as `etl/nyc.py`, and parse it in a child process."""
    return lambda text: parse(write("etl/nyc.py", text), root, 20.0)
