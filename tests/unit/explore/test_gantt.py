"""A run's tree as a picture."""

from datetime import UTC, datetime, timedelta
from xml.etree import ElementTree

from lineagegraph.drawing.gantt import to_gantt
from lineagegraph.queries.runs.hierarchy import Branch
from lineagegraph.store.jobs.hierarchy import RunTreeRow

NOON = datetime(2026, 3, 4, 12, tzinfo=UTC)
SVG = "{http://www.w3.org/2000/svg}"


def run(
    name: str, began: int | None, ended: int | None, kind: str = "task", state: str = "COMPLETED"
) -> RunTreeRow:
    at = [None if n is None else NOON + timedelta(seconds=n) for n in (began, ended)]
    return RunTreeRow(
        id=name,
        parent=None,
        name=name,
        simple_name=name,
        kind=kind,
        state=state,
        created_at=NOON,
        started_at=at[0],
        ended_at=at[1],
        attempt=1,
        reason=None,
        message=None,
        error=None,
        log=None,
        task=None,
    )


def bars(text: str) -> list[tuple[str, float, float]]:
    """The class, left end and width of each bar."""
    found = ElementTree.fromstring(text).iter(f"{SVG}rect")
    return [
        (
            one.attrib["class"].removeprefix("state "),
            float(one.attrib["x"]),
            float(one.attrib["width"]),
        )
        for one in found
        if one.attrib["class"].startswith("state")
    ]


def test_bars_stand_where_runs_were_and_what_spark_did_is_left_out() -> None:
    tree = Branch(
        run("p", 0, 100, "pipeline", "FAILED"),
        (
            Branch(run("a", 0, 50), (Branch(run("app", 1, 40, "application")),)),
            Branch(run("b", 50, 100, state="FAILED")),
        ),
    )
    assert bars(to_gantt(tree, NOON)) == [
        ("failed", 260, 560),
        ("completed", 260, 280),
        ("failed", 540, 280),
    ]


def test_what_still_runs_ends_now_and_what_waits_has_a_short_bar() -> None:
    tree = Branch(
        run("p", 0, None, "pipeline", "RUNNING"), (Branch(run("a", None, None, state="PENDING")),)
    )
    now = NOON + timedelta(seconds=10)
    assert bars(to_gantt(tree, now)) == [("running", 260, 560), ("pending", 260, 3)]


def test_a_hostile_name_is_text() -> None:
    name = "<script>alert('x')</script>\"&" + "x" * 8000
    text = to_gantt(Branch(run(name, 0, 1)), NOON)
    assert "<script" not in text
    assert ElementTree.fromstring(text).find(f".//{SVG}title") is not None


def test_of_very_many_lines_the_rest_is_counted() -> None:
    tree = Branch(run("p", 0, 9), tuple(Branch(run(f"t{n}", 0, 9)) for n in range(100)))
    text = to_gantt(tree, NOON)
    assert len(bars(text)) == 60
    assert "and 41 more" in text
