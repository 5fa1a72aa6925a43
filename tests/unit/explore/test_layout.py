"""Layout: boxes never overlap, whatever the graph."""

from itertools import combinations, pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from lineagegraph.drawing.frames import JobFrame, lay_out_framed
from lineagegraph.drawing.layout import Layout, Link, Size, lay_out

NODES = st.integers(0, 11).map(lambda number: f"n{number}")
EDGES = st.lists(st.tuples(NODES, NODES).filter(lambda edge: edge[0] != edge[1]), max_size=25)


def overlapping(layout: Layout, sizes: dict[str, Size]) -> list[tuple[str, str]]:
    return [
        (a, b)
        for a, b in combinations(layout.middles, 2)
        if abs(layout.middles[a].x - layout.middles[b].x) < (sizes[a].width + sizes[b].width) / 2
        and abs(layout.middles[a].y - layout.middles[b].y)
        < (sizes[a].height + sizes[b].height) / 2 - 0.01
    ]


def sizes_of(edges: list[tuple[str, str]]) -> dict[str, Size]:
    nodes = sorted({node for edge in edges for node in edge})
    return {node: Size(80.0 + 10 * int(node[1:]), 40.0 + 5 * int(node[1:])) for node in nodes}


@settings(max_examples=30, deadline=None)
@given(EDGES)
def test_boxes_do_not_overlap_and_lines_join_the_boxes_they_should(
    edges: list[tuple[str, str]],
) -> None:
    sizes = sizes_of(edges)
    layout = lay_out(sizes, [Link(*edge) for edge in edges])
    assert overlapping(layout, sizes) == []
    for (source, target), route in zip(edges, layout.routes, strict=True):
        assert abs(route[0].x - layout.middles[source].x) == sizes[source].width / 2
        assert abs(route[-1].x - layout.middles[target].x) == sizes[target].width / 2


@settings(max_examples=30, deadline=None)
@given(EDGES)
def test_without_cycles_all_lines_go_to_the_right(edges: list[tuple[str, str]]) -> None:
    edges = [(min(edge), max(edge)) for edge in edges]
    layout = lay_out(sizes_of(edges), [Link(*edge) for edge in edges])
    for route in layout.routes:
        assert all(left.x <= right.x for left, right in pairwise(route))


def test_lines_that_leave_a_box_together_share_their_bends() -> None:
    chain = [("a", "b"), ("b", "c"), ("c", "d"), ("d", "e")]
    edges = [*chain, ("a", "d"), ("a", "e")]
    sizes = {node: Size(100.0, 50.0) for node in "abcde"}
    *_, shorter, longer = lay_out(sizes, [Link(*edge) for edge in edges]).routes
    assert len(shorter) == 6
    assert longer[:5] == shorter[:5]


def test_a_line_leaves_and_enters_as_far_below_the_middles_as_it_should() -> None:
    sizes = {node: Size(100.0, 200.0) for node in "ab"}
    layout = lay_out(sizes, [Link("a", "b", 70.0, -30.0), Link("b", "a", 10.0, 20.0)])
    (forth, back), middles = layout.routes, layout.middles
    assert [point.y for point in forth] == [middles["a"].y + 70, middles["b"].y - 30]
    assert [point.y for point in back] == [middles["b"].y + 10, middles["a"].y + 20]
    assert back[0].x > back[-1].x


@settings(max_examples=30, deadline=None)
@given(EDGES, st.dictionaries(NODES, st.sampled_from(["p", "q"]), max_size=8))
def test_a_frame_holds_its_own_boxes_and_no_others(
    edges: list[tuple[str, str]], frame_of: dict[str, str]
) -> None:
    sizes = sizes_of(edges)
    frame_of = {node: frame for node, frame in frame_of.items() if node in sizes}
    layout, frames = lay_out_framed(sizes, [Link(*edge) for edge in edges], frame_of)
    assert overlapping(layout, sizes) == []
    for name, frame in frames.items():
        inside = {node for node in sizes if covers(frame, layout, node)}
        assert inside == {node for node, owner in frame_of.items() if owner == name}


def covers(frame: JobFrame, layout: Layout, node: str) -> bool:
    middle = layout.middles[node]
    right, bottom = frame.corner.x + frame.size.width, frame.corner.y + frame.size.height
    return frame.corner.x <= middle.x <= right and frame.corner.y <= middle.y <= bottom
