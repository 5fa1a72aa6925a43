"""A definition that may be another one at each import is recognised by its expressions."""

from pathlib import Path

import pytest

from lineagegraph.code.nondeterminism import find_nondeterminism

HEAD = """
import datetime, os, random, secrets, socket, sqlite3, tempfile, time, uuid
import numpy as np
import pandas as pd
from datetime import datetime as dt
from pathlib import Path
from random import uniform
"""


def found(folder: Path, expression: str) -> list[str]:
    file = folder / "file.py"
    file.write_text(f"{HEAD}value = {expression}\n")
    return [line.partition(" ")[2] for line in find_nondeterminism([file])]


@pytest.mark.parametrize(
    ("expression", "meaning"),
    [
        ("dt.now()", "reads the clock"),
        ("datetime.date.today().isoformat()", "reads the clock"),
        ("time.perf_counter()", "reads the clock"),
        ("pd.Timestamp('now')", "reads the clock"),
        ("pd.Timestamp.now()", "reads the clock"),
        ("pd.to_datetime('today')", "reads the clock"),
        ("np.datetime64('now')", "reads the clock"),
        ("np.random.rand(3)", "draws at random"),
        ("np.random.default_rng()", "draws at random"),
        ("uniform(0, 1)", "draws at random"),
        ("random.uniform(0, 1)", "draws at random"),
        ("random.gauss(0, 1)", "draws at random"),
        ("secrets.token_hex()", "draws at random"),
        ("uuid.uuid4()", "draws at random"),
        ("os.urandom(4)", "draws at random"),
        ("tempfile.mkdtemp()", "draws at random"),
        ("os.environ['DAY']", "reads the environment"),
        ("os.path.expandvars('$DAY')", "reads the environment"),
        ("socket.gethostname()", "asks for the machine or process"),
        ("os.getpid()", "asks for the machine or process"),
        ("Path('x').exists()", "asks for a file"),
        ("(Path('x') / 'y').stat().st_mtime", "asks for a file"),
        ("os.path.getmtime('x')", "asks for a file"),
        ("sqlite3.connect('x.db')", "reads a database"),
    ],
)
def test_an_expression_that_may_change_is_found(
    expression: str, meaning: str, tmp_path: Path
) -> None:
    (line,) = found(tmp_path, expression)
    assert line.startswith(f"{meaning}: ")
    assert line.partition(": ")[2] in expression.replace('"', "'")


@pytest.mark.parametrize(
    "expression",
    [
        "dt(2026, 1, 1)",
        "pd.Timestamp('2026-01-01')",
        "np.random.default_rng(7).random()",
        "random.Random(7).random()",
        "Path('x').name",
        "uuid.uuid5(uuid.NAMESPACE_DNS, 'x')",
        "time.sleep",
    ],
)
def test_an_expression_that_stays_the_same_is_not_found(expression: str, tmp_path: Path) -> None:
    assert found(tmp_path, expression) == []


@pytest.mark.parametrize("decorator", ["task", "branch"])
def test_code_that_runs_in_tasks_only_does_not_count(decorator: str, tmp_path: Path) -> None:
    file = tmp_path / "file.py"
    function = f"@lg.{decorator}\ndef one():\n    return dt.now()\n"
    file.write_text(f"{HEAD}import lineagegraph as lg\n{function}lg.pipeline('p', tasks=[one])\n")
    assert list(find_nondeterminism([file])) == []
