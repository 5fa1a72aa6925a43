"""Layers: where the nodes of a drawing stand."""

from lineagegraph.drawing.layers import order_layers, rank_nodes


def test_every_edge_of_a_graph_without_cycles_goes_to_a_later_layer() -> None:
    edges = [("a", "b"), ("b", "c"), ("a", "c"), ("x", "c")]
    ranks = rank_nodes(["c", "b", "a", "x"], edges)
    assert all(ranks[source] < ranks[target] for source, target in edges)


def test_a_node_with_no_way_in_stands_just_before_the_first_that_needs_it() -> None:
    assert rank_nodes(["a", "b", "c", "x"], [("a", "b"), ("b", "c"), ("x", "c")])["x"] == 1


def test_a_cycle_is_drawn_with_one_edge_that_goes_back() -> None:
    edges = [("a", "b"), ("b", "c"), ("c", "a")]
    ranks = rank_nodes(["a", "b", "c"], edges)
    assert sum(ranks[source] >= ranks[target] for source, target in edges) == 1


def test_ordering_takes_away_crossings_that_need_not_be() -> None:
    left, right = order_layers(
        [["a", "b", "c"], ["x", "y", "z"]], [("a", "z"), ("b", "y"), ("c", "x")]
    )
    pairs = {("a", "z"), ("b", "y"), ("c", "x")}
    assert set(zip(left, right, strict=True)) == pairs


def test_nodes_on_the_border_keep_their_order() -> None:
    layers = order_layers(
        [["p", "q"], ["x", "y"]], [("p", "y"), ("q", "x")], fixed={"p": 2.0, "q": 1.0}
    )
    assert layers == [["q", "p"], ["x", "y"]]
