"""Drawings of a lineage graph, as text that other programs read."""

import re
from xml.etree import ElementTree

import networkx as nx
import pytest

from lineagegraph.cli.show.lineage import print_lineage
from lineagegraph.drawing.dot import to_dot
from lineagegraph.drawing.mermaid import to_mermaid
from lineagegraph.drawing.networks import to_networkx
from lineagegraph.drawing.svg import to_cell_svg, to_svg
from lineagegraph.drawing.tree import lineage_trees
from lineagegraph.queries.lineage.lineage_graph import LineageGraph, Part
from lineagegraph.store.lineage.lineage import (
    AncestorRow,
    ColumnRow,
    DatasetRow,
    DerivationRow,
    FlowRow,
    JobRow,
)

NASTY = 'a"b<c>&#;\\]'
PIPELINE = AncestorRow("p", "default", "nyc", "nyc", "pipeline")
JOB = JobRow("j", "default", f"nyc.{NASTY}", NASTY, "task", "FAILED", (PIPELINE,))
SOURCE = DatasetRow("s", "file", f"/raw/{NASTY}", (ColumnRow("s1", NASTY, "int"),))
TARGET = DatasetRow("t", "s3://b:9", "x" * 80, (ColumnRow("t1", "total", None),))


@pytest.fixture(params=[False, True], ids=["by job", "by column"])
def graph(request: pytest.FixtureRequest) -> LineageGraph:
    return LineageGraph(
        nodes=(JOB, SOURCE, TARGET),
        edges=(FlowRow("s", "j", runs=2), FlowRow("j", "t")),
        derivations=(DerivationRow("s1", "t1", "j", "DIRECT", "AGGREGATION", "SUM"),),
        roots=("t",),
        by_column=request.param,
    )


def test_an_svg_is_well_formed_and_has_the_full_names_as_titles(graph: LineageGraph) -> None:
    svg = ElementTree.fromstring(to_svg(graph))
    titles = [element.text for element in svg.iter("{http://www.w3.org/2000/svg}title")]
    assert f"dataset:s3://b:9:{'x' * 80}" in titles
    assert f"dataset:file:/raw/{NASTY}" in titles


def test_an_svg_loads_nothing(graph: LineageGraph) -> None:
    svg = to_svg(graph)
    assert "href" not in svg
    assert "@import" not in svg
    assert "<script" not in svg


def test_an_empty_graph_is_an_empty_picture() -> None:
    ElementTree.fromstring(to_svg(LineageGraph(nodes=(), edges=())))


def test_a_job_that_reads_what_it_writes_is_drawn() -> None:
    edges = (FlowRow("s", "j"), FlowRow("j", "s"))
    svg = to_svg(LineageGraph(nodes=(JOB, SOURCE), edges=edges, roots=("j",)))
    assert svg.count('class="flow"') == 2


def test_data_that_is_used_inside_a_frame_and_outside_flows_forward_only() -> None:
    reader = JobRow("k", "default", "nyc.k", "k", "task", None, (PIPELINE,))
    other = JobRow("o", "default", "other", "other", "pipeline", None, ())
    edges = (FlowRow("j", "t"), FlowRow("t", "k"), FlowRow("t", "o"))
    svg = to_svg(LineageGraph(nodes=(JOB, reader, other, TARGET), edges=edges))
    lines = re.findall(r'class="flow" d="M([\d.]+) [^"]*?([\d.]+)(?: [\d.]+)?"', svg)
    assert len(lines) == 3
    assert all(float(start) < float(end) for start, end in lines)


def test_mermaid_quotes_what_it_would_read_as_its_own(graph: LineageGraph) -> None:
    text = to_mermaid(graph)
    assert text.startswith("flowchart LR\n")
    assert "a#quot;b#lt;c#gt;&#35;;" in text


def test_parts_are_drawn_with_their_states() -> None:
    regions = tuple(Part(f"R{number}", "FAILED") for number in range(10))
    graph = LineageGraph(nodes=(JOB,), edges=(), parts={"j": regions})
    svg = ElementTree.fromstring(to_svg(graph))
    texts = [element.text for element in svg.iter("{http://www.w3.org/2000/svg}text")]
    assert texts[-9:] == [*(f"R{number}" for number in range(8)), "and 2 more"]
    assert to_svg(graph).count('class="state failed"') == 8
    assert "R0 FAILED, R1 FAILED" in to_dot(graph)
    assert "R0 FAILED, R1 FAILED" in to_mermaid(graph)


def test_dot_quotes_names(graph: LineageGraph) -> None:
    assert 'a\\"b<c>&#;\\\\]' in to_dot(graph)


def test_networkx_has_the_ends_of_the_data_as_sources_and_sinks(graph: LineageGraph) -> None:
    network = to_networkx(graph)
    (sink,) = [node for node, degree in network.out_degree() if degree == 0]
    assert sink.startswith("dataset:s3://b:9:")


def test_a_tree_of_columns_says_how_each_was_computed_and_by_which_job() -> None:
    graph = LineageGraph(
        nodes=(JOB, SOURCE, TARGET),
        edges=(),
        derivations=(DerivationRow("s1", "t1", "j", "DIRECT", "AGGREGATION", "SUM"),),
        roots=("t",),
        by_column=True,
    )
    (tree,) = lineage_trees(graph, "upstream")
    assert tree.text == f"{'x' * 80}.total"
    assert tree.children[0].text == f"← /raw/{NASTY}.{NASTY} (sum by nyc.{NASTY})"


def test_a_tree_ends_where_a_cycle_closes() -> None:
    edges = (FlowRow("s", "j"), FlowRow("j", "s"))
    graph = LineageGraph(nodes=(JOB, SOURCE), edges=edges, roots=("s",))
    (tree,) = lineage_trees(graph, "upstream")
    assert tree.children[0].children[0].seen


def test_networkx_has_jobs_of_one_namespace_and_name_apart() -> None:
    twins = [JobRow(f"{n:032x}", "default", "load", "load", "job", None, ()) for n in (1, 2)]
    edges = (FlowRow(twins[0].key, "s"), FlowRow("s", twins[1].key))
    network = to_networkx(LineageGraph(nodes=(*twins, SOURCE), edges=edges))
    assert len(network) == 3
    assert nx.is_directed_acyclic_graph(network)


@pytest.mark.parametrize("by_column", [False, True])
def test_a_tree_may_be_deeper_than_calls_of_python(
    by_column: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    steps = range(2000)
    tables = [DatasetRow(f"d{n}", "file", f"d{n}", (ColumnRow(f"c{n}", "c", None),)) for n in steps]
    flows = tuple(FlowRow(f"d{n}", f"d{n + 1}") for n in steps[:-1])
    made = tuple(DerivationRow(f"c{n}", f"c{n + 1}", "j", "DIRECT", None, None) for n in steps[:-1])
    graph = LineageGraph(
        nodes=(JOB, *tables), edges=flows, derivations=made, roots=("d0",), by_column=by_column
    )
    print_lineage(graph, up=False)
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 1 + len(steps)
    assert "d1999" in lines[-1]


def test_a_tree_of_columns_has_what_leads_to_each_once() -> None:
    """All ways through a chain of tables, each column made from two, double with each table."""
    tables = [
        DatasetRow(f"d{n}", "file", f"d{n}", tuple(ColumnRow(f"{n}{c}", c, None) for c in "ab"))
        for n in range(40)
    ]
    steps = tuple(
        DerivationRow(f"{n}{source}", f"{n + 1}{target}", "j", "DIRECT", None, None)
        for n in range(39)
        for source in "ab"
        for target in "ab"
    )
    graph = LineageGraph(
        nodes=(JOB, *tables), edges=(), derivations=steps, roots=("d39",), by_column=True
    )
    left, twigs = list(lineage_trees(graph, "upstream")), 0
    while left:
        twig = left.pop()
        twigs, left = twigs + 1, [*left, *twig.children]
    assert twigs == 2 + len(steps)


def chain(length: int) -> LineageGraph:
    """A job and a dataset in turns; the one in the middle was asked for."""
    nodes = [
        JobRow(str(i), "default", f"job{i}", f"job{i}", "task", "COMPLETED", ())
        if i % 2
        else DatasetRow(str(i), "file", f"/data/table{i}", ())
        for i in range(length)
    ]
    edges = tuple(FlowRow(str(i), str(i + 1)) for i in range(length - 1))
    return LineageGraph(nodes=tuple(nodes), edges=edges, roots=(str(length // 2),))


def test_a_cell_shows_what_is_near_at_a_readable_size_and_tells_what_is_left_out() -> None:
    graph = chain(40)
    drawn = to_cell_svg(graph)
    size = re.search(r'aria-label="Lineage graph" width="(\d+)".* viewBox="\S+ \S+ (\d+) ', drawn)
    assert size
    assert int(size[1]) < 968
    assert int(size[1]) > 0.6 * int(size[2])
    shown = {int(number) for number in re.findall(r">(?:job|table)(\d+)<", drawn)}
    assert 20 in shown
    assert max(shown) - min(shown) + 1 == len(shown) > 3
    assert f"{40 - len(shown)} farther" in drawn
    assert len(set(re.findall(r">(?:job|table)(\d+)<", to_svg(graph)))) == 40


def test_a_cell_shows_a_small_graph_whole(graph: LineageGraph) -> None:
    assert to_cell_svg(graph).partition("<style>")[2] == to_svg(graph).partition("<style>")[2]
