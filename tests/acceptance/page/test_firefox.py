"""The page in Firefox: its views, a click and back, the search, and an acknowledgement."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from lineagegraph.graph import Graph
from lineagegraph.queries.runs.runs import read_run
from tests.acceptance.page.site import SHOWN, Site
from tests.firefox import firefox

NODE = Path(sys.executable).with_name("node")
SCRIPT = Path(__file__).with_name("firefox.js")


def test_the_page_works_in_firefox(serve: Callable[..., Site], graph: Graph) -> None:
    site = serve()
    views = [(site.address(view), text) for view, (_, text) in SHOWN.items()]
    asked = {"executable": firefox(), "url": site.url, "views": views}
    words = [str(NODE), str(SCRIPT), json.dumps(asked)]
    done = subprocess.run(words, capture_output=True, text=True, timeout=240, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    seen = read_run(graph, site.run).run.acknowledgement
    assert seen is not None
    assert "the vendor was asked" in seen.text
