"""Values of an answer as one line, and tables of them."""

import re
import sys
from datetime import UTC, date, datetime, timedelta
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis.strategies import text

from lineagegraph.errors import NotFound
from lineagegraph.model.property_graph import Node, Path, Point, Relationship, graph_in
from lineagegraph.notebook.results import Result
from lineagegraph.notebook.results.say import say
from lineagegraph.queries.analysis import Owned

HOSTILE = "<script>alert('x')</script>\"&" + "y" * 8000
AT = datetime(2026, 3, 1, 12, 0, 5, tzinfo=UTC)
A = Node("1", ("Job",), {"fqn": "nyc.load"})
B = Node("2", ("Job",), {})
BELOW = Relationship("9", "PARENT_OF", "2", "1", {"since": 3})


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (None, "null"),
        (True, "true"),
        (b"PK" * 700, "1,400 bytes"),
        (9223372036854775807, "9223372036854775807"),
        (0.1, "0.1"),
        ("a\n  b", "a b"),
        (AT, "2026-03-01 12:00:05 UTC"),
        (AT.replace(tzinfo=None), "2026-03-01 12:00:05"),
        (date(2026, 3, 1), "2026-03-01"),
        (timedelta(days=1, hours=2, seconds=3.25), "1d 2h 3.25s"),
        (timedelta(), "0s"),
        (timedelta(minutes=-5), "-5m"),
        (Point(7203, (1.0, 2.5)), "point(1, 2.5)"),
        ([1, None, "a"], '[1, null, "a"]'),
        ({"a": [date(2026, 3, 1)]}, "{a: [2026-03-01]}"),
        (A, '(:Job {fqn: "nyc.load"})'),
        (BELOW, "[:PARENT_OF {since: 3}]"),
        (Path((A, B), (BELOW,)), '(:Job {fqn: "nyc.load"})<-[:PARENT_OF {since: 3}]-(:Job)'),
    ],
)
def test_a_value_is_said_in_one_line(value: object, said: str) -> None:
    assert say(value) == said


def test_a_cell_has_no_brackets_quotes_or_names_of_classes() -> None:
    row = [
        (),
        ["a", 1, 0.1 + 0.2],
        {"COMPLETED": 2, "FAILED": 1},
        [Owned("job", "ns", "a", (), None)],
    ]
    html = Result(list("abcd"), [row])._repr_mimebundle_()["text/html"]
    cells = re.findall(r"<td [^>]*>(.*?)</td>", html)
    assert cells[:3] == ["", "a, 1, 0.3", "COMPLETED: 2, FAILED: 1"]
    assert "Owned" not in cells[3]


def test_a_hostile_name_is_text_and_a_long_one_is_cut_with_the_whole_in_a_title() -> None:
    html = Result(["name"], [[HOSTILE]])._repr_mimebundle_()["text/html"]
    assert "<script>" not in html
    assert "y" * 8000 in html.partition('title="')[2].partition('"')[0]
    assert len(html.partition("</td>")[0].rpartition(">")[2]) < 300


def test_a_table_is_brief_and_has_the_whole_where_one_points_at_it() -> None:
    row = [
        "b" * 64,
        AT.replace(microsecond=7),
        149.316587,
        0.014065725833333334,
        ("never written",),
    ]
    html = Result(["version", "at", "took", "waited", "why"], [row])._repr_mimebundle_()[
        "text/html"
    ]
    for brief in (f"{'b' * 12}…", "2026-03-01 12:00:05 UTC", "149.317", "0.0141", "never written"):
        assert f">{brief}</td>" in html
    for whole in ("b" * 64, "12:00:05.000007", "149.316587", "0.014065725833333334"):
        assert f"{whole}" in html


def test_words_and_ids_stay_whole_and_long_texts_are_broken() -> None:
    row = ["COMPLETED", "0190a1d2-0000-7000-8000-000000000000", "a" * 37]
    html = Result(["state", "id", "path"], [row])._repr_mimebundle_()["text/html"]
    assert html.count("<td") == 3
    styles = [cell.partition('"')[2].partition('"')[0] for cell in html.split("<td")[1:]]
    assert ["nowrap" in style for style in styles] == [True, True, False]
    assert "anywhere" in styles[2]


def test_a_column_that_was_chosen_is_left_out_where_nothing_is_in_it() -> None:
    rows = [("a", None), ("b", None)]
    assert "error" not in repr(
        Result(["id", "error", "more"], [(*r, 1) for r in rows], shown=("id", "error"))
    )
    assert "error" in repr(Result(["id", "error"], rows))


def test_a_hostile_name_in_a_graph_is_text() -> None:
    hostile = Node("3", (HOSTILE,), {"name": HOSTILE})
    result = Result(["n"], [[hostile], [BELOW]], graph_in([hostile, BELOW]))
    bundle = result._repr_mimebundle_()
    assert "<script>" not in bundle["image/svg+xml"]
    assert "<script>" not in bundle["text/plain"]


def test_a_table_says_how_much_of_it_is_shown() -> None:
    result = Result(["n"], [[n] for n in range(5000)], note="more")
    assert repr(result).endswith("\n20 of 5,000 rows, more")
    assert result._repr_mimebundle_()["text/html"].endswith("100 of 5,000 rows, more</div>")
    assert len(result.to_pandas()) == 5000
    assert repr(Result(["n"], [])) == "n\nno rows"


def test_a_table_can_show_some_columns_and_keep_all() -> None:
    result = Result(["a", "b"], [[1, 2]], shown=["b"])
    assert repr(result) == "b\n2\n1 row"
    assert result.records == [{"a": 1, "b": 2}]


def test_a_frame_of_polars_needs_polars(monkeypatch: pytest.MonkeyPatch) -> None:
    result = Result(["n", "at"], [[1, AT], [None, AT]])
    assert result.to_polars()["at"].to_list() == [AT, AT]
    monkeypatch.setitem(sys.modules, "polars", None)
    with pytest.raises(NotFound, match="pip install polars"):
        result.to_polars()


def test_nodes_alone_are_a_table_and_joined_ones_a_graph() -> None:
    assert "text/html" in Result(["n"], [[A]], graph_in([A]))._repr_mimebundle_()
    joined = graph_in([A, B, BELOW])
    assert "image/svg+xml" in Result(["n"], [[A]], joined)._repr_mimebundle_()
    assert "text/html" in Result(["n"], [[A]], joined, look="table")._repr_mimebundle_()
    assert "image/svg+xml" in Result(["n"], [[A]], graph_in([A]), look="graph")._repr_mimebundle_()


def test_a_large_graph_is_a_table_unless_it_is_asked_for() -> None:
    nodes = [Node(str(n), (), {}) for n in range(300)]
    many = [Relationship(str(n), "NEXT", str(n), str(n + 1), {}) for n in range(299)]
    graph = graph_in([nodes, many])
    assert len(graph.nodes) == 300
    assert "300 nodes" in Result(["n"], [], graph)._repr_mimebundle_()["text/html"]


@given(text())
def test_whatever_a_name_has_in_it_a_picture_is_one(name: str) -> None:
    nodes = graph_in([Node("1", (name,), {"name": name}), Relationship("2", name, "1", "3", {})])
    drawn = "".join(ElementTree.fromstring(Result([], [], nodes).to_svg()).itertext())
    assert len(name) > 34 or not name.isprintable() or name in drawn
