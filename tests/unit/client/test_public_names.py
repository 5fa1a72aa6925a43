"""The public names without IPython."""

import subprocess
import sys

PROGRAM = """
import sys
blocked = ("IPython", "ipykernel", "ipywidgets", "anywidget")
sys.modules.update(dict.fromkeys(blocked))
import lineagegraph as lg
for name in set(lg.__all__) - {"load_ipython_extension"}:
    getattr(lg, name)
from lineagegraph.client.statements import cells_until_now
assert cells_until_now() == {}
"""


def test_all_public_names_can_be_had_without_ipython() -> None:
    subprocess.run([sys.executable, "-c", PROGRAM], check=True)
