"""The cell with the parameters of a notebook."""

from nbformat.v4 import new_code_cell, new_notebook

from lineagegraph.execution.kinds.notebook_program import insert_parameters


def test_a_parameter_with_the_name_of_a_keyword_is_left_out():
    notebook = new_notebook(cells=[new_code_cell("print(day)")])
    insert_parameters(notebook, {"from": 3, "day": "2026-01-01"})
    assert notebook.cells[0].source == "# Parameters\nday = '2026-01-01'"
