"""Changes and their entries in the audit log: both are there, or neither is."""

import json
import os
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest

from lineagegraph.admin.audit import (
    AuditFilter,
    count_entries,
    export_entries,
    forget_entries,
    list_entries,
    record_settings,
)
from lineagegraph.admin.namespaces import attach_tags, detach_tag
from lineagegraph.admin.tokens import add_token, revoke_token
from lineagegraph.admin.variables import set_variable
from lineagegraph.graph import Graph, Transaction
from lineagegraph.ingest.extract import extract
from lineagegraph.ingest.record import record
from lineagegraph.model.access import Role
from lineagegraph.model.actor import Actor, acting_as
from lineagegraph.model.triggers.trigger import Trigger
from lineagegraph.neo4j_server import ServerAddress
from lineagegraph.settings import Settings
from lineagegraph.store.admin.audit import MOST_CHARACTERS, AuditEntry, audit
from lineagegraph.store.admin.variables import get_value
from lineagegraph.store.admin.variables import set_variable as write_variable
from lineagegraph.triggers.write import delete_trigger, enable_trigger, set_trigger
from tests.definitions import daily, define
from tests.events import run_event
from tests.integration.scheduling.rules import GO

MANY = """
UNWIND range(1, 10000) AS number
CREATE (:AuditEntry {
  id: 'entry-' + right('0000' + number, 5), key: 'k', name: 'n', job: 'daily', thing: 'skip',
  actor: 'token:ci', action: 'skip.add',
  // Many of one moment, and others on both sides of the end of a part.
  at: datetime('2026-01-01T00:00:00Z') + duration({seconds: number / 700})
})
"""


def entries(graph: Graph, **chosen: Any) -> list[AuditEntry]:
    return list_entries(graph, AuditFilter(**chosen), newest=False, limit=1_000)


def states(entry: AuditEntry) -> tuple[Any, Any]:
    before, after = (text and json.loads(text) for text in (entry.before, entry.after))
    return before, after


def test_a_tag_that_is_taken_off_under_another_name_of_a_dataset_has_an_entry(graph: Graph) -> None:
    symlink = {"identifiers": [{"namespace": "lake", "name": "b", "type": "TABLE"}]}
    event = run_event("load", outputs=(("lake", "a"),))
    event["outputs"][0]["facets"] = {"symlinks": symlink}
    graph.write(record, extract([event]))
    (first,) = graph.query("MATCH (d:Dataset {name: 'a'}) RETURN d.key AS key")
    (other,) = graph.query("MATCH (d:Dataset {name: 'b'}) RETURN d.key AS key")
    attach_tags(graph, first["key"], ["pii"])
    detach_tag(graph, other["key"], "pii")
    detach_tag(graph, other["key"], "pii")
    found = [(one.key, states(one)) for one in entries(graph, action="tag.detach")]
    assert found == [(other["key"], ({"tags": ["pii"]}, {"tags": []}))]


def test_an_entry_has_author_address_thing_and_both_states(graph: Graph) -> None:
    key = define(graph, daily())
    with acting_as(Actor("token:ci", "192.0.2.7")):
        place: dict[str, Any] = {"starts": key, "name": "t", "namespace": "default"}
        rule = Trigger(when=GO)
        id_ = graph.write(set_trigger, rule, origin="schedule", **place)
        graph.write(enable_trigger, trigger_id=id_, enabled=False)
        graph.write(enable_trigger, trigger_id=id_, enabled=False)
        graph.write(delete_trigger, starts=key, name="t")
    attach_tags(graph, key, ["pii"])
    made, suspended, deleted, tagged = entries(graph, about="daily")
    assert (made.actor, made.address) == ("token:ci", "192.0.2.7")
    assert (made.action, made.thing, made.key) == ("schedule.set", "schedule", id_)
    assert (made.name, made.job, made.namespace) == ("t", "daily", "default")
    assert made.before is None
    before, after = states(suspended)
    assert (before["enabled"], after["enabled"]) == (True, False)
    assert (deleted.action, deleted.after) == ("schedule.delete", None)
    assert (tagged.action, states(tagged)) == ("tag.attach", ({"tags": []}, {"tags": ["pii"]}))
    assert tagged.actor.startswith("python:")
    assert entries(graph, about=id_, action="schedule") == [made, suspended, deleted]
    assert entries(graph, actor="token:ci", until=suspended.at) == [made]
    assert count_entries(graph, AuditFilter(about="daily", since=deleted.at)) == 2


def test_no_secret_and_no_large_state_is_kept(graph: Graph) -> None:
    token = add_token(graph, "ci", {Role.READ: frozenset({"*"})})
    revoke_token(graph, "ci")
    for value in ("hunter2", "hunter3"):
        set_variable(graph, "db_password", value)
    set_variable(graph, "source", {"url": "postgres://ann:hunter4@db/x", "api_key": "hunter5"})
    set_variable(graph, "wide", "x" * 20_000)
    text = " ".join(f"{one.before} {one.after}" for one in entries(graph))
    assert token not in text
    assert "hunter" not in text
    assert [one.action for one in entries(graph, about="db_password")] == ["variable.set"] * 2
    assert states(entries(graph, about="ci")[0])[1]["read"] == ["*"]
    (wide,) = entries(graph, about="wide")
    assert len(wide.after or "") < MOST_CHARACTERS
    assert states(wide)[1]["characters"] > 20_000


def test_a_change_that_fails_leaves_no_entry(graph: Graph) -> None:
    def change(tx: Transaction) -> None:
        audit(tx, "variable.set", "rate", after=1)
        write_variable(tx, name="rate", value="1", by="ann", most=9, now=None)
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        graph.write(change)
    assert entries(graph) == []
    assert graph.read(get_value, name="rate") is None


KILLED = """
import os, time
from lineagegraph.admin import variables
from lineagegraph.graph import Graph
from lineagegraph.store.admin import audit

merge, place = audit.merge_entries, os.environ["PLACE"]

def slow(tx, **rows):
    if place == "after":
        merge(tx, **rows)
    print("in the middle", flush=True)
    time.sleep(600)

audit.merge_entries = slow
with Graph(os.environ["BOLT"], "neo4j", os.environ["PASSWORD"]) as graph:
    variables.set_variable(graph, "rate", 1)
"""


@pytest.mark.parametrize("place", ["before", "after"])
def test_a_process_that_is_killed_amid_a_change_leaves_neither(
    graph: Graph, server: ServerAddress, place: str
) -> None:
    own = {"PLACE": place, "BOLT": server.bolt, "PASSWORD": server.password}
    command = [sys.executable, "-c", dedent(KILLED)]
    with subprocess.Popen(
        command, env=os.environ | own, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "in the middle\n"
        process.send_signal(signal.SIGKILL)
    assert entries(graph) == []
    # Its lock is gone with it.
    assert set_variable(graph, "rate", 2)
    (entry,) = entries(graph)
    assert states(entry) == (None, {"value": 2})


def test_each_state_before_is_the_one_that_the_change_before_left(graph: Graph) -> None:
    set_variable(graph, "rate", -1)
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda number: set_variable(graph, "rate", number), range(60)))
    changes = [states(one) for one in entries(graph, about="rate")]
    assert len(changes) == 61
    left = {json.dumps(after) for _, after in changes}
    assert len(left) == 61
    # As one chain: each state but the last is the one before of exactly one change.
    begun = sorted(json.dumps(before) for before, _ in changes[1:])
    (last,) = left - set(begun)
    assert begun == sorted(left - {last})
    assert {json.loads(last)["value"]} == {
        row["value"] for row in graph.query("MATCH (v:Variable) RETURN toInteger(v.value) AS value")
    }


def test_ten_thousand_entries_are_exported_once_each_and_in_order(graph: Graph) -> None:
    graph.query(MANY, write=True)
    for chosen in (AuditFilter(), AuditFilter(about="daily")):
        parts = list(export_entries(graph, chosen))
        exported = [one for part in parts for one in part]
        assert max(map(len, parts)) == 1_000
        assert len({one.id for one in exported}) == len(exported) == 10_000
        assert exported == sorted(exported, key=lambda one: (one.at, one.id))
    pages = [
        one.id
        for offset in range(0, 10_000, 1_000)
        for one in list_entries(graph, AuditFilter(), offset=offset, limit=1_000)
    ]
    assert pages == [one.id for one in reversed(exported)]


def test_what_is_deleted_during_an_export_moves_nothing(graph: Graph) -> None:
    graph.query(MANY, write=True)
    parts = export_entries(graph, AuditFilter())
    first = next(parts)
    graph.query("MATCH (e:AuditEntry) WHERE e.id < 'entry-00900' DELETE e", write=True)
    assert len(first) + sum(map(len, parts)) == 10_000


def test_old_entries_are_deleted_and_counted_in_a_new_one(graph: Graph) -> None:
    graph.query(MANY, write=True)
    set_variable(graph, "rate", 1)
    assert forget_entries(graph, timedelta(days=1)) == 10_000
    assert forget_entries(graph, timedelta(days=1)) == 0
    kept = entries(graph)
    assert {one.action for one in kept} == {"variable.set", "audit.forget"}
    deleted = [states(one)[0]["entries"] for one in kept if one.action == "audit.forget"]
    assert sum(deleted) == 10_000


def test_changed_settings_of_a_daemon_are_recorded_without_secrets(
    graph: Graph, tmp_path: Path
) -> None:
    first = Settings(home=tmp_path, neo4j_password="hunter2", retention={"*": "90d"})
    for settings in (first, first, first.model_copy(update={"worker_slots": 9})):
        record_settings(graph, settings)
    begun, changed = entries(graph, action="settings.change")
    assert begun.before is None
    before, after = states(changed)
    assert (before.get("worker_slots"), after["worker_slots"]) == (None, 9)
    assert after["retention"] == {"*": "P90D"}
    assert "hunter2" not in f"{begun}{changed}"
