"""The frontend: its modules' own tests, and how they are linked for a widget."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from lineagegraph.notebook.widgets.panel import link_modules

ROOT = Path(__file__).parents[2]
FRONTEND = ROOT / "lineagegraph" / "frontend"
NODE = Path(sys.executable).with_name("node")
VIEWS = sorted(path.parent.name for path in FRONTEND.glob("*/widget.js"))


def modules_of(entry: str) -> dict[str, str]:
    """Return the modules that a linked one carries, in their order."""
    carried = re.match(r"const MODULES = (.*);\n", link_modules(entry))
    assert carried is not None
    return dict(json.loads(carried[1]))


def test_the_modules_pass_their_own_tests() -> None:
    tests = sorted(str(path) for path in (ROOT / "tests" / "frontend").glob("*.test.js"))
    words = [str(NODE), "--test", *tests]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("view", VIEWS)
def test_each_module_comes_after_all_that_it_imports(view: str) -> None:
    modules = modules_of(f"{view}/widget.js")
    assert list(modules)[-1] == f"{view}/widget.js"
    before: set[str] = set()
    for name, text in modules.items():
        assert set(re.findall(r'^(?:import|}).* from "(.+)";$', text, re.MULTILINE)) <= before
        before.add(name)


def test_every_module_belongs_to_a_widget_or_the_page() -> None:
    shown = re.findall(r'import\("\.\./(.+?)"\)', (FRONTEND / "page" / "page.js").read_text())
    entries = [*(f"{view}/widget.js" for view in VIEWS), "page/page.js", *shown]
    linked = {name for entry in entries for name in modules_of(entry)}
    assert linked == {str(path.relative_to(FRONTEND)) for path in FRONTEND.rglob("*.js")}
