"""What people start, say from outside and drive again."""

import json
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from lineagegraph.authoring import on
from lineagegraph.authoring.triggers import payload, trigger
from lineagegraph.errors import InvalidRule
from lineagegraph.graph import Graph
from lineagegraph.ingest.extract import extract
from lineagegraph.model.pipelines.definition import Parameter, Pipeline
from lineagegraph.model.runs.ids import new_id
from lineagegraph.model.triggers.trigger import Trigger
from lineagegraph.queries.triggers.triggers import find_trigger
from lineagegraph.queries.triggers.why import read_why
from lineagegraph.reactions.commit import commit
from lineagegraph.runs.queue import queue_run, request_firing
from lineagegraph.store.runs import launches
from lineagegraph.store.triggers.firings import list_redrivable
from lineagegraph.triggers.by_hand import note_by_hand, redrive
from lineagegraph.triggers.external_event import record_event
from lineagegraph.triggers.start import Started
from lineagegraph.triggers.write import delete_trigger, write_trigger
from tests.definitions import NOTHING, define
from tests.events import run_event

PLACE = Parameter(name="place", type="str", default="")
REPORT = Pipeline(name="report", namespace="default", tasks=(NOTHING,), parameters=(PLACE,))


@pytest.fixture
def report(graph: Graph) -> str:
    return define(graph, REPORT)


def write(graph: Graph, rule: Trigger, starts: str) -> str:
    return graph.write(write_trigger, rule, starts=starts, name="t", namespace="default")


def end(graph: Graph, job: str, **params: Any) -> list[Started]:
    event = run_event(job)
    facets = event["run"].setdefault("facets", {})
    facets["lineagegraph"] = {"_producer": "p", "_schemaURL": "s", "params": params}
    return graph.write(commit, extract([event]))


def queue(graph: Graph, key: str, only: Sequence[str] = ()) -> str:
    run_id = new_id()
    asked = {"job_key": key, "params": None, "only": list(only), "now": None}
    graph.write(launches.merge_queued, run_id=run_id, **asked)
    return run_id


def upstream(graph: Graph, run_id: str) -> list[str | None]:
    return [row.job for row in graph.read(launches.list_upstream, id=run_id, most=10)]


def test_a_run_by_hand_consumes_nothing_unless_it_is_told_to(graph: Graph, report: str) -> None:
    id_ = write(graph, trigger(on.success("a") & on.success("b")), report)
    end(graph, "a")
    first = queue(graph, report)
    assert graph.write(note_by_hand, first, [id_], consume=False) == 0
    second = queue(graph, report)
    assert graph.write(note_by_hand, second, [id_], consume=True) == 1
    assert upstream(graph, first) == []
    assert upstream(graph, second) == ["a"]
    assert end(graph, "b") == []
    assert len(end(graph, "a")) == 1


def test_a_dead_letter_says_what_is_missing_and_can_be_driven_again(
    graph: Graph, report: str
) -> None:
    mapped = {"place": payload("location")}
    id_ = write(graph, trigger(on.success("a"), arguments=mapped), report)
    (fired,) = end(graph, "a", path="/gold")
    assert fired.run_id is None
    (letter,) = read_why(graph, "t").waiting
    assert letter.state == "DEAD_LETTER"
    assert "needs 'location', and the payload has path" in (letter.kept_back or "")
    assert graph.write(redrive, [letter.key]) == []
    write(graph, trigger(on.success("a"), arguments={"place": "path"}), report)
    (started,) = graph.write(redrive, [letter.key])
    (row,) = graph.query(
        "MATCH (r:Run {id: $id}) RETURN r.params AS params", {"id": started.run_id}
    )
    assert row["params"] == '{"place": "/gold"}'
    assert graph.write(redrive, [letter.key]) == []
    assert id_ == started.trigger_id


def test_an_event_from_outside_counts_once_for_its_id(graph: Graph, report: str) -> None:
    write(graph, trigger(on.event("arrived").where(region="EU")), report)
    assert graph.write(record_event, "arrived", payload={"region": "US"}).started == ()
    said = graph.write(record_event, "arrived", payload={"region": "EU"}, event_id="e1")
    assert len(said.started) == 1
    again = graph.write(record_event, "arrived", payload={"region": "EU"}, event_id="e1")
    assert (again.is_new, again.started) == (False, ())


@pytest.mark.parametrize(
    ("name", "more", "says"),
    [
        ("", {}, "1 to 200 characters"),
        ("x" * 201, {}, "1 to 200 characters"),
        ("x", {"payload": {"a": "b" * 70_000}}, "at most 65536"),
        ("x", {"event_id": "i" * 201}, "at most 200"),
    ],
)
def test_an_event_that_cannot_be_kept_is_refused(
    graph: Graph, name: str, more: dict[str, Any], says: str
) -> None:
    with pytest.raises(InvalidRule, match=says):
        graph.write(record_event, name, **more)
    assert graph.query("MATCH (e:ExternalEvent) RETURN e") == []


def test_an_id_is_that_of_one_event(graph: Graph) -> None:
    graph.write(record_event, "x", event_id="1")
    with pytest.raises(InvalidRule, match="that of an event 'x'"):
        graph.write(record_event, "y", event_id="1")


def test_why_tells_a_half_that_is_too_old(graph: Graph, report: str) -> None:
    rule = trigger((on.success("a") & on.success("b")).within("1ms"))
    write(graph, rule, report)
    end(graph, "a")
    (cell,) = read_why(graph, "report").cells
    first, second = cell.condition.operands
    assert "too old to combine with new ones" in (first.happened[0].stale or "")
    unknown = "no job of this name is known: check its name"
    assert second.missing == f"nothing has happened yet, and {unknown}"
    end(graph, "b")
    (cell,) = read_why(graph, "report").cells
    assert cell.condition.missing == "its parts are not true together"


def test_why_tells_what_did_not_count_and_forgets_in_time(graph: Graph, report: str) -> None:
    write(graph, trigger(on.success("a").where(on.key("rows") > 0)), report)
    for _ in range(60):
        end(graph, "a", rows=0)
    why = read_why(graph, "report")
    assert len(why.evaluations) == 50
    assert "rows > 0: it is 0" in (why.refused[0].text or "")
    assert not why.cells[0].condition.is_true


def test_a_payload_of_ten_megabytes_does_not_count_and_why_says_so(
    graph: Graph, report: str
) -> None:
    write(graph, trigger(on.success("a").where(on.key("rows") > 0)), report)
    assert end(graph, "a", rows=1, more="x" * 10_000_000) == []
    assert "no such key in its payload, which has left_out" in (
        read_why(graph, "report").refused[0].text or ""
    )


def test_of_a_version_only_its_runs_count(graph: Graph, report: str) -> None:
    write(graph, trigger(on.status("a", "COMPLETED", version="v1")), report)
    assert end(graph, "a") == []


def test_news_is_as_old_as_the_setting_says(graph: Graph, report: str) -> None:
    write(graph, trigger(on.event("x")), report)
    said = graph.write(record_event, "x", max_event_age=timedelta(0))
    assert said.started == ()


def test_a_trigger_that_is_made_again_goes_on_firing(graph: Graph, report: str) -> None:
    rule = trigger(on.success("a"))
    write(graph, rule, report)
    assert len(end(graph, "a")) == 1
    graph.write(delete_trigger, starts=report, name="t")
    assert end(graph, "a") == []
    write(graph, rule, report)
    assert len(end(graph, "a")) == 1


def test_a_payload_that_json_does_not_have_is_refused(graph: Graph) -> None:
    with pytest.raises(InvalidRule, match="the payload is not JSON"):
        graph.write(record_event, "feed", payload={"v": float("nan")})
    assert graph.query("MATCH (e:ExternalEvent) RETURN e") == []


def test_a_dead_letter_is_found_behind_thousands_of_firings_that_were_given_up(
    graph: Graph, report: str
) -> None:
    id_ = write(graph, trigger(on.success("a"), arguments={"place": payload("location")}), report)
    (fired,) = end(graph, "a", path="/gold")
    graph.query(
        "UNWIND range(1, 2000) AS n CREATE (:Firing {key: 'k' + n, trigger_id: $id, "
        "state: 'ABORTED', fired_at: datetime.realtime() + duration({seconds: n})})",
        {"id": id_},
        write=True,
    )
    all_dead = graph.read(list_redrivable, trigger_id=id_, chosen=[], limit=10)
    assert all_dead == [fired.key]
    assert graph.read(list_redrivable, trigger_id=id_, chosen=["k7"], limit=10) == ["k7"]
    assert graph.read(list_redrivable, trigger_id="other", chosen=["k7"], limit=10) == []


def test_a_failed_run_by_hand_that_took_from_two_triggers_runs_again_once_as_it_was(
    graph: Graph, report: str
) -> None:
    ids = [
        graph.write(
            write_trigger,
            trigger(on.success(job), reruns=reruns),
            starts=report,
            name=job,
            namespace="default",
        )
        for job, reruns in (("a", 1), ("b", 2))
    ]
    run_id = queue(graph, report, only=["nothing"])
    graph.write(note_by_hand, run_id, ids, consume=True)
    (again,) = fail(graph, run_id)
    rows = graph.query(
        "MATCH (r:Run)-[:RERUN_OF]->() RETURN r.id AS id, r.only AS only, r.state AS state"
    )
    assert rows == [{"id": again, "only": ["nothing"], "state": "PENDING"}]
    (last,) = fail(graph, again)
    assert fail(graph, last) == []


def fail(graph: Graph, run_id: str) -> list[str | None]:
    event = run_event("report", "FAIL", run_id=run_id)
    return [one.run_id for one in graph.write(commit, extract([event]))]


def test_by_hand_only_what_counts_is_chosen(graph: Graph, report: str) -> None:
    rule = trigger(on.success("a") & on.success("b").within("1h") & ~on.failure("a"))
    id_ = write(graph, rule, report)
    graph.write(commit, extract([run_event("a", "FAIL")]))
    end(graph, "a", place="west")
    end(graph, "b")
    run_id = queue(graph, report)
    later = datetime.now(UTC) + timedelta(hours=2)
    assert graph.write(note_by_hand, run_id, [id_], consume=True, now=later) == 3
    found = graph.read(launches.list_upstream, id=run_id, most=10)
    assert {(one.job, one.status): one.chosen for one in found} == {
        ("a", "COMPLETED"): True,
        ("b", "COMPLETED"): False,
        ("a", "FAILED"): False,
    }


def test_a_trigger_that_is_fired_by_hand_gives_its_properties(graph: Graph, report: str) -> None:
    write(graph, trigger(on.success("a"), properties={"place": "west"}), report)
    found = find_trigger(graph, "t")
    queued = queue_run(graph, request_firing(found, {}, consume=False, key="k"))
    other = queue_run(graph, request_firing(found, {"place": "east"}, consume=False))
    rows = graph.query("MATCH (r:Run) RETURN r.id AS id, r.params AS params")
    assert {row["id"]: json.loads(row["params"]) for row in rows} == {
        queued.run_id: {"place": "west"},
        other.run_id: {"place": "east"},
    }
    write(graph, trigger(on.success("a"), properties={"place": "north"}), report)
    again = request_firing(find_trigger(graph, "t"), {}, consume=False, key="k")
    assert queue_run(graph, again).run_id == queued.run_id


def test_properties_do_not_come_before_the_payload_that_an_argument_takes(
    graph: Graph, report: str
) -> None:
    mapped = {"place": payload("place")}
    write(graph, trigger(on.success("a"), properties={"place": "x"}, arguments=mapped), report)
    found = find_trigger(graph, "t")
    assert request_firing(found, {}, consume=True).properties == {}
    assert request_firing(found, {}, consume=False).properties == {"place": "x"}
