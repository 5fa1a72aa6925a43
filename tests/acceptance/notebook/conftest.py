"""A JupyterLab on the test session's graph."""

from collections.abc import Iterator

import pytest

from lineagegraph.neo4j_server import ServerAddress
from tests.acceptance.notebook.lab import Lab
from tests.acceptance.notebook.line import Line
from tests.acceptance.processes import shared


@pytest.fixture(scope="module")
def line(server: ServerAddress) -> Iterator[Line]:
    """The way to that graph, which can be cut."""
    line = Line(server.bolt)
    yield line
    line.cut()


@pytest.fixture(scope="session")
def jupyter(server: ServerAddress, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lab]:
    folder = tmp_path_factory.mktemp("lab")
    lab = Lab(folder, shared(server, folder / "home"))
    yield lab
    lab.close()


@pytest.fixture(scope="module")
def lab(jupyter: Lab) -> Iterator[Lab]:
    """That JupyterLab; its kernels end with the module's tests."""
    yield jupyter
    jupyter.end_kernels()
