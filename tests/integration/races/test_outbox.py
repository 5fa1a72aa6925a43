"""Notifications and events that are sent while others tidy the outbox."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from lineagegraph.daemon.daemon import Daemon
from lineagegraph.graph import Graph, Transaction
from lineagegraph.liveness.contact import Contact
from lineagegraph.outbox.forwarding import Forwarder
from lineagegraph.settings import Settings
from lineagegraph.store.outbox import forwards, notifications
from tests.integration.races.overlap import calling_after, overlap

NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)
LATER = NOON + timedelta(days=2)


def strand(tx: Transaction) -> int:
    age = timedelta(days=1)
    return notifications.settle_stranded(tx, known=[], age=age, error="no route", now=LATER)


def claim(tx: Transaction) -> object:
    lease = timedelta(minutes=1)
    return notifications.claim_notification(tx, channel="ops", claim="c", lease=lease, now=LATER)


def state(graph: Graph) -> str:
    (row,) = graph.query("MATCH (n:Notification) RETURN n.state AS state")
    return str(row["state"])


def add_notification(graph: Graph) -> None:
    texts = ("type", "subject", "namespace", "job", "at", "message")
    rows = [{"key": "n", "channel": "ops"} | dict.fromkeys(texts, "2026-03-02T12:00:00Z")]
    graph.write(notifications.merge_notifications, rows=rows, now=NOON)


def test_a_notification_that_is_sent_as_it_counts_as_stranded_is_not_given_up(
    graph: Graph,
) -> None:
    add_notification(graph)

    def send(tx: Transaction) -> None:
        assert claim(tx)
        notifications.settle_sent(tx, key="n", claim="c", now=LATER)

    assert overlap(graph, send, strand) == 0
    assert state(graph) == "SENT"


def test_a_notification_that_two_daemons_give_up_counts_once(graph: Graph) -> None:
    add_notification(graph)
    assert overlap(graph, strand, strand) == 0
    assert state(graph) == "DEAD"


def queue_event(graph: Graph) -> None:
    row = {"name": "lake", "send": "all", "namespaces": ".*"}
    graph.write(forwards.merge_targets, rows=[row], now=NOON)
    graph.query(
        "CREATE (:Forwarding {key: 'f', target: 'lake', waits_for: 'lake', event_id: 'e', "
        "position: 0, queued_at: $now})",
        {"now": NOON},
        write=True,
    )


def test_a_target_that_a_daemon_uses_again_as_another_forgets_it_stays_with_its_events(
    graph: Graph, monkeypatch: pytest.MonkeyPatch
) -> None:
    queue_event(graph)
    back = {"name": "lake", "send": "all", "namespaces": ".*"}

    def come_back() -> None:
        graph.write(forwards.merge_targets, rows=[back], now=NOON + timedelta(days=8))

    calling_after(monkeypatch, forwards, "list_unseen").append(come_back)
    Forwarder(graph, (), 1000).tidy(NOON + timedelta(days=8))
    assert graph.query("MATCH (n:ForwardTarget|Forwarding) RETURN count(n) AS n") == [{"n": 2}]


def test_a_daemon_forgets_nothing_of_others_right_after_neo4j_was_away_for_days(
    graph: Graph, tmp_path: Path
) -> None:
    queue_event(graph)
    add_notification(graph)
    known = "RETURN COUNT { MATCH (n:ForwardTarget|Forwarding) } AS n, "
    known += "COUNT { (:Notification {state: 'PENDING'}) } AS notifications"
    daemon = Daemon(graph, Settings(home=tmp_path))
    for _ in range(2):
        daemon._say_alive()
        daemon._tidy_targets()
        daemon._tidy_outbox()
    assert graph.query(known) == [{"n": 2, "notifications": 1}]
    daemon._roll_call = Contact(gap=60, term=0)
    daemon._say_alive()
    daemon._tidy_targets()
    daemon._tidy_outbox()
    assert graph.query(known) == [{"n": 0, "notifications": 0}]


def counts(graph: Graph) -> dict[str, object]:
    (row,) = graph.query("MATCH (t:ForwardTarget) RETURN t.sent AS sent, t.dropped AS dropped")
    return row


def drop(tx: Transaction) -> int | None:
    return forwards.delete_oldest(tx, waits=True, limit=1)


def test_an_event_that_two_daemons_drop_at_once_counts_once(graph: Graph) -> None:
    queue_event(graph)
    assert not overlap(graph, drop, drop)
    assert counts(graph) == {"sent": 0, "dropped": 1}


def test_an_event_that_is_dropped_as_it_is_sent_counts_as_sent(graph: Graph) -> None:
    queue_event(graph)
    lease = timedelta(minutes=1)
    graph.write(forwards.claim_target, name="lake", claim="c", lease=lease, longest=lease, now=NOON)
    assert not overlap(
        graph,
        lambda tx: forwards.settle_sent(tx, name="lake", claim="c", sent=["f"], now=NOON),
        drop,
    )
    assert counts(graph) == {"sent": 1, "dropped": 0}
