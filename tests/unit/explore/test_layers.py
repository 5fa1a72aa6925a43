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
    edges = [(0, 5), (1, 4), (2, 3)]
    left, right = order_layers([[0, 1, 2], [3, 4, 5]], edges, 4, {})
    assert set(zip(left, right, strict=True)) == set(edges)


def test_nodes_on_the_border_keep_their_order() -> None:
    layers = order_layers([[0, 1], [2, 3]], [(0, 3), (1, 2)], 4, {0: 2.0, 1: 1.0})
    assert layers == [[1, 0], [2, 3]]
