"""Which statements of cells go into a file with one of them."""

import linecache

import pytest

from lineagegraph.client.export import needed_for
from lineagegraph.client.statements import read_statements
from lineagegraph.errors import DefinitionError


def exported(*cells: str) -> str:
    """Return what goes with the last statement of the last cell."""
    numbers = {f"<cell {number}>": number for number in range(1, len(cells) + 1)}
    for name, cell in zip(numbers, cells, strict=True):
        linecache.cache[name] = (len(cell), None, cell.splitlines(keepends=True), name)
    known = [one for name in numbers for one in read_statements(name, numbers)]
    return "\n".join(one.text for one in needed_for(known[-1], known))


def test_what_functions_imports_and_constants_need_comes_along_and_nothing_else() -> None:
    cells = (
        "import os, json\nimport math as m",
        "RATE = 2\nOTHER = 3\nprint(OTHER)",
        "def fare(km): return m.ceil(km * RATE)",
        "rides = [fare(km) for km in (1, 2)]",
    )
    wanted = ("import math as m", "RATE = 2", cells[2], cells[3])
    assert exported(*cells) == "\n".join(wanted)


def test_the_newest_of_a_name_counts_and_what_changed_it_since() -> None:
    cells = (
        "rates = {'a': 0}",
        "rates = {'a': 1}",
        "rates['b'] = 2\nrates.update(c=3)\nother = []\nother.append(1)",
        "for name in 'de':\n    rates[name] = 4",
        "total = 0",
        "total += len(rates)",
        "if total > 9:\n    total = 9",
        "made = total",
    )
    wanted = (cells[1], "rates['b'] = 2", "rates.update(c=3)", cells[3], *cells[4:])
    assert exported(*cells) == "\n".join(wanted)


def test_what_is_needed_at_once_comes_first_though_its_cell_was_run_again() -> None:
    wanted = ["def later(): return late", "RATE = 2", "late = 1", "made = RATE, later"]
    assert exported("def later(): return late", "made = RATE, later", "RATE = 2") != ""
    again = exported("def later(): return late", "x = RATE", "RATE = 2", "late = 1", "x, later")
    assert again.splitlines().index("RATE = 2") < again.splitlines().index("x = RATE")
    assert exported(wanted[0], wanted[1], wanted[2], wanted[3]) == "\n".join(wanted)


def test_a_star_gives_the_names_of_its_module_though_python_has_some_itself() -> None:
    cells = ("from math import *", "from json import *", "def up(x): return pow(x, 2)", "made = up")
    assert exported(*cells) == "\n".join((cells[0], *cells[2:]))


def test_what_a_notebook_gives_may_be_imported() -> None:
    cells = ("from IPython.display import display", "def f():\n    display(1)", "g = f")
    assert exported(*cells) == "\n".join(cells)


@pytest.mark.parametrize(
    ("cells", "said"),
    [
        (
            ("def f(): return RATE + made", "g = f"),
            "<2>: no cell of plain Python defines RATE, made, ",
        ),
        (
            ("files = get_ipython().getoutput('ls')", "g = files"),
            "cell 1, line 1: a line with % or !",
        ),
        (("x = 1\nrows = await ask()", "g = rows"), "cell 1, line 2: `await` outside"),
        (("def f():\n    display(1)", "g = f"), "cell 1, line 1: `display` works only"),
    ],
)
def test_what_no_file_can_have_is_said_with_its_place(cells: tuple[str, ...], said: str) -> None:
    with pytest.raises(DefinitionError, match=said.replace("<2>", "cell 2, line 1")) as caught:
        exported(*cells)
    assert "\n" not in str(caught.value)
