"""Where the explorer draws boxes and lines, for graphs of any form."""

from importlib.resources import files
from itertools import pairwise
from typing import Any

import networkx as nx
import pytest
from playwright.sync_api import Page

SCRIPT = files("lineagegraph.notebook.widgets").joinpath("explorer_layout.js").read_text("utf-8")
PLACES = """({boxes, links}) => {
  const {places, routes, width, height} = layOut(boxes, links);
  return {places: boxes.map(({key}) => {
    const {x, y, width, height, layer} = places.get(key);
    return {key, x, y, width, height, layer};
  }), routes, width, height};
}"""


def laid_out(page: Page, edges: list[tuple[int, int]], count: int, seed: int) -> dict[str, Any]:
    boxes = [
        {"key": str(n), "width": 130 + (n * 37 + seed) % 90, "height": 48 + 22 * (n * seed % 4)}
        for n in range(count)
    ]
    links = [{"source": str(source), "target": str(target)} for source, target in edges]
    page.set_content(f"<script>{SCRIPT}</script>")
    found: dict[str, Any] = page.evaluate(PLACES, {"boxes": boxes, "links": links})
    return found


@pytest.mark.parametrize("seed", range(8))
def test_no_box_covers_another_and_each_line_joins_its_two(page: Page, seed: int) -> None:
    graph = nx.gnm_random_graph(40, 20 * seed, seed=seed, directed=True)
    edges = [*list(graph.edges), (0, 0)]
    found = laid_out(page, edges, 40, seed)
    layers: dict[int, list[dict[str, Any]]] = {}
    for place in sorted(found["places"], key=lambda one: one["y"]):
        assert place["y"] - place["height"] / 2 + 1e-6 >= 0
        assert place["y"] + place["height"] / 2 <= found["height"] + 1e-6
        layers.setdefault(place["layer"], []).append(place)
    for layer in layers.values():
        for above, below in pairwise(layer):
            assert below["y"] - above["y"] >= (above["height"] + below["height"]) / 2
    places = {int(place["key"]): place for place in found["places"]}
    for (source, target), route in zip(edges, found["routes"], strict=True):
        for end, point in ((source, route[0]), (target, route[-1])):
            assert abs(abs(point[0] - places[end]["x"]) - places[end]["width"] / 2) < 1e-6
            assert abs(point[1] - places[end]["y"]) < 1e-6


@pytest.mark.parametrize("seed", range(4))
def test_without_cycles_all_lines_go_to_the_right(page: Page, seed: int) -> None:
    graph = nx.gnm_random_graph(40, 90, seed=seed, directed=True)
    edges = [(min(edge), max(edge)) for edge in graph.edges]
    found = laid_out(page, edges, 40, seed)
    layer = {int(place["key"]): place["layer"] for place in found["places"]}
    assert all(layer[source] < layer[target] for source, target in edges)
    for route in found["routes"]:
        assert all(right[0] >= left[0] for left, right in pairwise(route))
