"""Trees at a terminal that is too narrow for them."""

import os

from tests.terminals import written_at_terminal

DEEP = """
from rich.text import Text
from rich.tree import Tree
from lineagegraph.cli.console import print_tree
whole = tree = Tree(Text("top"))
for number in range({depth}):
    tree = tree.add(Text(f"table{{number}}"))
print_tree(whole)
"""


def at_terminal(code: str) -> str:
    environment = os.environ | {"COLUMNS": "80", "TERM": "dumb"}
    return written_at_terminal("-c", code, environment=environment)


def test_no_line_of_a_deep_tree_is_lost() -> None:
    text = at_terminal(DEEP.format(depth=60))
    assert [line.split()[-1] for line in text.splitlines()] == [
        "top",
        *(f"table{number}" for number in range(60)),
    ]
