"""Trees at a terminal that is too narrow for them."""

import os
import pty
import subprocess
import sys
from contextlib import suppress

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
    near, far = pty.openpty()
    environment = os.environ | {"COLUMNS": "80", "TERM": "dumb"}
    with subprocess.Popen([sys.executable, "-c", code], env=environment, stdout=far):
        os.close(far)
        text = b""
        # The end of a terminal is an error to its reader.
        with suppress(OSError):
            while part := os.read(near, 65536):
                text += part
    os.close(near)
    return text.decode()


def test_no_line_of_a_deep_tree_is_lost() -> None:
    text = at_terminal(DEEP.format(depth=60))
    assert [line.split()[-1] for line in text.splitlines()] == [
        "top",
        *(f"table{number}" for number in range(60)),
    ]
