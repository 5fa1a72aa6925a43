"""What widgets leave in a saved notebook, and what they say when something is not as it was."""

import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest

from lineagegraph import on
from lineagegraph.admin.freshness import set_terms
from lineagegraph.admin.source_sensor import source_sensor
from lineagegraph.errors import ChangedMeanwhile, NotFound
from lineagegraph.graph import Graph
from lineagegraph.ingest.extract import extract
from lineagegraph.ingest.record import record
from lineagegraph.model.freshness.standing import Terms
from lineagegraph.model.freshness.terms import Freshness
from lineagegraph.model.names.keys import dataset_key
from lineagegraph.model.runs.ids import new_id
from lineagegraph.model.triggers.trigger import Trigger
from lineagegraph.model.triggers.trigger_json import encode_trigger
from lineagegraph.neo4j_server import ServerAddress
from lineagegraph.notebook.session import Session
from lineagegraph.notebook.widgets.freshness_board import FreshnessBoard
from lineagegraph.notebook.widgets.live_run import LiveRun
from lineagegraph.notebook.widgets.panel import Panel
from lineagegraph.settings import Settings
from lineagegraph.store.freshness import terms as store
from lineagegraph.triggers.pause import pause_all
from tests.acceptance.notebook.shop import HOSTILE, fill_shop
from tests.events import run_event
from tests.integration.races.overlap import overlap
from tests.integration.scheduling.rules import write_rules

RUN = "0190a1d2-0000-7000-8000-000000000001"
KNOWN = Settings(neo4j_uri="bolt://graph", neo4j_browser_url="http://graph/browser/")
WIDGETS = ("explorer", "history", "panel", "board", "live")


@pytest.fixture
def shop(graph: Graph) -> Graph:
    """Lineage, a trigger, a stale table, and a run that goes on."""
    fill_shop(graph, HOSTILE)
    graph.write(record, extract([run_event(HOSTILE, "START", run_id=RUN)]))
    graph.write(write_rules, {HOSTILE: Trigger(when=on.success("sales"))}, datetime.now(UTC))
    return graph


@pytest.fixture
def own(server: ServerAddress) -> Iterator[Graph]:
    """A connection that may be closed."""
    with Graph(server.bolt, server.user, server.password) as graph:
        yield graph


def opened(session: Session) -> dict[str, Panel]:
    widgets = (
        session.explore(),
        session.history(HOSTILE),
        session.trigger_panel(HOSTILE),
        session.freshness(),
        session.follow(RUN),
    )
    return dict(zip(WIDGETS, widgets, strict=True))


def shown(widget: Panel) -> dict[str, str]:
    """Return what a notebook keeps of a widget, but for the widget itself."""
    data, _ = widget._repr_mimebundle_()
    return {kind: text for kind, text in data.items() if "widget" not in kind}


def test_a_saved_notebook_is_small_and_says_what_each_widget_showed(shop: Graph) -> None:
    texts = {
        "explorer": "3 jobs, 6 datasets",
        "history": RUN,
        "panel": "sales",
        "board": "dataset:lake:kpi",
        "live": ", before its end",
    }
    for name, widget in opened(Session(shop, KNOWN)).items():
        assert len(json.dumps(widget.get_state())) < 100_000, name
        kept = shown(widget)
        assert texts[name] in kept["text/plain"]
        assert name != "live" or "RUNNING" in kept["text/plain"]
        assert sum(map(len, kept.values())) < 100_000, name
        assert "<script>" not in kept.get("text/html", "") + kept.get("image/svg+xml", "")


@pytest.mark.usefixtures("shop")
def test_a_widget_whose_graph_went_away_says_so_in_a_line(own: Graph) -> None:
    widgets = opened(Session(own, KNOWN))
    own.close()
    for name, widget in widgets.items():
        assert shown(widget).keys() == {"text/plain"}, name
        assert "is closed: connect again" in shown(widget)["text/plain"]


def test_widgets_lead_to_neo4j_browser_where_its_address_is_known(shop: Graph) -> None:
    for settings, is_known in ((KNOWN, True), (Settings(neo4j_uri="bolt://graph"), False)):
        one = opened(Session(shop, settings))
        piece = one["explorer"].view.answer_lineage("job:default:sales.daily", 1, 1, "")
        links = [
            one["explorer"].view.answer_details(piece.nodes[0][0], "")["url"],
            one["history"].view.answer_runs(HOSTILE, one["history"].namespace)[-1]["url"],
            one["panel"].view.answer_show(HOSTILE)["browser"],
            one["live"].view.answer_live(one["live"].run_id).url,
        ]
        assert [bool(link) for link in links] == [is_known] * 4
        assert all(link.startswith(KNOWN.neo4j_browser_url) for link in links if link)


def test_a_panel_that_is_not_up_to_date_says_what_had_happened(shop: Graph) -> None:
    here, there = (opened(Session(shop, KNOWN))["panel"] for _ in range(2))
    assert here.view.answer_enable(HOSTILE, False) == f"{HOSTILE} is suspended"
    assert there.view.answer_enable(HOSTILE, False) == f"{HOSTILE} is suspended: no change"
    assert there.view.answer_enable(HOSTILE, True) == f"{HOSTILE} is enabled"
    here.view.answer_delete(HOSTILE)
    with pytest.raises(NotFound, match="no trigger"):
        there.view.answer_enable(HOSTILE, False)


def test_a_trigger_that_another_changed_meanwhile_is_not_deleted(shop: Graph) -> None:
    view = opened(Session(shop, KNOWN))["panel"].view
    seen = view.answer_show(HOSTILE)["rule_hash"]
    shop.write(write_rules, {HOSTILE: Trigger(when=on.failure("sales"))}, datetime.now(UTC))
    with pytest.raises(ChangedMeanwhile, match="changed meanwhile and is now 'sales FAILED'"):
        view.answer_delete(HOSTILE, seen)
    now = view.answer_show(HOSTILE)
    view.answer_delete(HOSTILE, now["rule_hash"])
    with pytest.raises(NotFound):
        view.answer_delete(HOSTILE, now["rule_hash"])


def test_a_pause_that_another_made_meanwhile_is_neither_replaced_nor_ended(shop: Graph) -> None:
    here, there = (opened(Session(shop, KNOWN))["panel"].view for _ in range(2))
    there.answer_pause("weekend", known=None)
    with pytest.raises(ChangedMeanwhile, match=r"changed meanwhile; they are: .*weekend"):
        here.answer_pause("lunch", known=None)
    seen = here.answer("paused", {})
    there.answer_pause("the whole weekend", known=seen)
    for late in (lambda: here.answer_resume(seen), lambda: here.answer_pause("lunch", known=seen)):
        with pytest.raises(ChangedMeanwhile, match="the whole weekend: try again"):
            late()
    seen = here.answer("paused", {})
    here.answer_resume(seen)
    with pytest.raises(ChangedMeanwhile, match="no longer paused: try again"):
        there.answer_resume(seen)


def test_terms_that_another_set_meanwhile_are_not_replaced(shop: Graph) -> None:
    here, there = (opened(Session(shop, KNOWN))["board"].view for _ in range(2))
    (row,) = (row for row in here.answer_board() if row["node"] == "dataset:lake:kpi")
    there.answer_set("dataset:lake:kpi", "3h", row["stated"])
    for late in (
        lambda: here.answer_set("dataset:lake:kpi", "2d", row["stated"]),
        lambda: here.answer_set("dataset:lake:kpi", "2d", None),
        lambda: here.answer_unset("dataset:lake:kpi", row["stated"]),
    ):
        with pytest.raises(ChangedMeanwhile, match="now max age 3h: try again"):
            late()
    key = dataset_key("lake", "kpi")
    (row,) = (row for row in here.answer_board() if row["node"] == "dataset:lake:kpi")
    # A difference that the words do not show counts too.
    set_terms(shop, key, Terms(freshness=Freshness(max_age=10800.0), grace=7200.0))
    with pytest.raises(ChangedMeanwhile, match="now max age 3h: try again"):
        here.answer_set("dataset:lake:kpi", "2d", row["stated"])


def test_an_age_leaves_the_other_terms_as_they_are(shop: Graph) -> None:
    board, key = opened(Session(shop, KNOWN))["board"].view, dataset_key("lake", "kpi")
    assert board.answer_node("kpi") == "dataset:lake:kpi"
    stated = Terms(freshness=Freshness(max_age=60.0, since="day"), grace=7200.0, per="region")
    set_terms(shop, key, stated)
    board.answer_set("dataset:lake:kpi", "2h")
    (row,) = (row for row in board.answer_board() if row["node"] == "dataset:lake:kpi")
    assert row["terms"] == "max age 2h, since day per region"
    assert row["stated"]["grace"] == 7200.0
    plain = Terms(freshness=Freshness(max_age=60.0))
    set_terms(
        shop, key, plain, source=source_sensor("sql", {"connection": "lake", "query": "SELECT 1"})
    )
    with pytest.raises(ValueError, match="answers for dataset:lake:kpi: change its terms with"):
        board.answer_set("dataset:lake:kpi", "3h")


def test_of_two_changes_at_once_the_later_finds_the_earlier(shop: Graph) -> None:
    panel, board = (opened(Session(shop, KNOWN))[name].view for name in ("panel", "board"))
    key = dataset_key("lake", "kpi")
    (row,) = (row for row in board.answer_board() if row["node"] == "dataset:lake:kpi")
    with pytest.raises(ChangedMeanwhile, match="weekend: try again"):
        overlap(
            shop,
            lambda tx: pause_all(tx, "weekend"),
            lambda _: panel.answer_pause("lunch", known=None),
        )
    first = store.terms_properties(Terms(freshness=Freshness(max_age=1.0)))
    with pytest.raises(ChangedMeanwhile, match="now max age 1s: try again"):
        overlap(
            shop,
            lambda tx: store.set_terms(tx, key=key, terms=first, by="ann", now=None),
            lambda _: board.answer_set("kpi", "2d", row["stated"]),
        )


def test_the_first_task_that_failed_tells_why_a_run_failed(shop: Graph) -> None:
    noon, top = datetime(2026, 3, 1, 12, tzinfo=UTC), new_id()
    events = [run_event("dag", "START", run_id=top, at=noon)]
    for minute, name in ((2, "a.cleanup"), (1, "b.load")):
        at = noon + timedelta(minutes=minute)
        failed = run_event(name, "FAIL", parent=(top, "dag"), at=at)
        failed["run"]["facets"]["errorMessage"] = {
            "_producer": "https://example.org/test",
            "_schemaURL": "https://example.org/1",
            "message": f"{name} is broken",
            "programmingLanguage": "PYTHON",
        }
        events.append(failed)
    shop.write(record, extract(events))
    why = LiveRun(shop, KNOWN, run_id=top).view.answer_live(top).why
    assert why
    assert why.endswith("b.load is broken")


def test_a_history_of_another_job_shows_no_run_of_the_one_before(shop: Graph) -> None:
    history = Session(shop, KNOWN).history("sales")
    (run,) = history.view.answer_runs("sales")
    history.selected = history.compared = run["id"]
    history.job = "board"
    assert (history.selected, history.compared) == ("", "")
    assert run["id"] not in shown(history)["text/plain"]


def test_a_trigger_is_made_for_a_job_whose_namespace_an_address_leaves_out(shop: Graph) -> None:
    view = opened(Session(shop, KNOWN))["panel"].view
    rule = json.loads(encode_trigger(Trigger(when=on.success("sales"))))
    assert view.answer_parameters("", "board") == []
    assert view.answer_preview("", "board", rule)
    made = view.answer_save("", "board", "second", rule, True, True)
    assert view.answer_show(made)["namespace"] == "default"


def test_a_question_of_a_page_that_is_interrupted_is_answered(shop: Graph) -> None:
    """Without an answer the page would wait, and load nothing any more."""

    class Interrupted(LiveRun):
        def ask(self, question: str, about: object) -> object:
            raise KeyboardInterrupt

        def send(self, content: object, buffers: object = None) -> None:
            sent.append(content)

    sent: list[object] = []
    widget = Interrupted(shop, KNOWN, run_id=RUN)
    widget._hear(widget, {"id": "7", "ask": "live"}, [])
    assert sent == [{"id": "7", "error": "interrupted before the answer: try again"}]


def test_what_a_view_refuses_is_told_to_a_page_in_a_notebook_as_it_is(shop: Graph) -> None:
    class Sending(FreshnessBoard):
        def send(self, content: object, buffers: object = None) -> None:
            sent.append(content)

    sent: list[object] = []
    widget = Sending(shop, KNOWN)
    widget._hear(widget, {"id": "7", "ask": "set", "about": {"node": "x", "max_age": "soon"}}, [])
    refused = "max age 'soon' is no duration: write it as 2h or 1d 12h"
    assert sent == [{"id": "7", "error": refused}]
