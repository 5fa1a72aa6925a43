"""The notebooks that come along are what their sources say, and show what they showed."""

from pathlib import Path

import nbformat
import pytest

from docs.make_notebooks import list_sources, read_source

SOURCES = list_sources()
ADVICE = "make notebooks"


def test_there_are_six() -> None:
    assert len(SOURCES) == 6


@pytest.mark.parametrize("source", SOURCES, ids=lambda path: path.stem)
def test_a_notebook_has_the_cells_of_its_source_and_what_they_showed(source: Path) -> None:
    made = nbformat.read(source.with_suffix(".ipynb"), as_version=4)
    stated = read_source(source)
    assert [cell.source for cell in made.cells] == [cell.source for cell in stated.cells], ADVICE
    outputs = [out for cell in made.cells for out in cell.get("outputs", [])]
    assert outputs, ADVICE
    assert {out.output_type for out in outputs} <= {"execute_result", "display_data", "stream"}
