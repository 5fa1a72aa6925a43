"""What is recorded arrives at its targets: once, in order, after any outage."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from itertools import count
from typing import Any

import pytest

from lineagegraph.errors import NotFound
from lineagegraph.graph import Graph, Transaction
from lineagegraph.ingest.extract import extract
from lineagegraph.model.outbox.targets import Forward
from lineagegraph.outbox.forwarding import Forwarder, forget_target, redrive_target
from lineagegraph.queries.jobs.outbox import read_refused
from lineagegraph.reactions.commit import commit
from lineagegraph.store.outbox import forwards
from tests.events import job_event, run_event
from tests.integration.forwarding.targets import (
    arrived,
    forwarder,
    later,
    record,
    story,
    target,
    to,
)
from tests.integration.races.overlap import overlap
from tests.receiver import Receiver


def test_events_arrive_as_they_were_sent_and_in_their_order(
    graph: Graph, receiver: Receiver
) -> None:
    company = forwarder(graph, to(receiver, token="s3cret", headers={"x-team": "data"}))
    sent = record(graph, *story(inputs=(("file", "/a"),)), job_event("load", job_type="ETL"))
    assert company.send_due() == 4
    assert arrived(receiver) == sent
    assert receiver.headers[0]["authorization"] == "Bearer s3cret"
    assert receiver.headers[0]["x-team"] == "data"
    assert company.send_due() == 0
    found = target(graph)
    assert (found.waiting, found.sent, found.refused, found.dropped) == (0, 4, 0, 0)
    assert graph.query("MATCH (f:Forwarding) RETURN count(f) AS count") == [{"count": 0}]


def test_events_of_one_transaction_arrive_by_their_times(graph: Graph, receiver: Receiver) -> None:
    company = forwarder(graph, to(receiver))
    sent = [event for _ in range(4) for event in story()]
    graph.write(commit, extract(reversed(sent)))
    assert company.send_due() == 12
    assert arrived(receiver) == sent


def test_a_target_gets_our_own_runs_or_all_and_only_its_namespaces(
    graph: Graph, receiver: Receiver
) -> None:
    everything = Receiver(url=receiver.url.replace("/hook", "/all"))
    own = forwarder(graph, to(receiver, "own", namespaces=("prod-*",)))
    record(graph, run_event("a", namespace="prod-eu"), run_event("b", namespace="test"))
    record(graph, run_event("c", namespace="prod-eu"), own=False)
    assert own.send_due() == 1
    forwarder(graph, to(everything, "all", send="all"))
    record(graph, run_event("d", namespace="x"), run_event("e", namespace="prod-eu"), own=False)
    record(graph, run_event("f", namespace="prod-eu"))
    assert own.send_due() == 1
    assert [event["job"]["name"] for event in arrived(receiver)] == ["a", "f"]
    assert target(graph, "all").waiting == 3


@pytest.mark.parametrize(
    ("pattern", "matching", "other"),
    [
        ("a[b[]c", "a[c", "abb"),
        ("[]a]x", "]x", "bx"),
        ("[!]a[]", "b", "["),
        ("[[x]y", "[y", "y"),
        (r"[a\[b]*", "\\z", "z"),
        ("[a&&b]", "&", "c"),
        ("[^a]", "^", "b"),
        ("{a}(b)$^.[c", "{a}(b)$^.[c", "a"),
    ],
)
def test_neo4j_reads_the_patterns_of_namespaces_as_python_does(
    graph: Graph, receiver: Receiver, pattern: str, matching: str, other: str
) -> None:
    sender = forwarder(graph, to(receiver, namespaces=("none", pattern)))
    record(graph, *(run_event("load", namespace=name) for name in (matching, other)))
    sender.send_due(later(0))
    assert [event["job"]["namespace"] for event in arrived(receiver)] == [matching]


def test_an_event_that_comes_again_is_not_sent_again(graph: Graph, receiver: Receiver) -> None:
    company = forwarder(graph, to(receiver, send="all"))
    (event,) = record(graph, run_event("load"))
    record(graph, event, event, own=False)
    assert company.send_due() == 1
    record(graph, event)
    assert company.send_due() == 0


def test_an_event_that_comes_again_after_the_clock_was_put_back_is_not_sent_again(
    graph: Graph, receiver: Receiver
) -> None:
    company = forwarder(graph, to(receiver))
    (event,) = record(graph, run_event("load"))
    assert company.send_due() == 1
    ahead = "MATCH (e:Event) SET e.received_at = e.received_at + duration('PT1H')"
    graph.query(ahead, write=True)
    record(graph, event)
    assert company.send_due() == 0


def test_events_keep_their_order_when_the_clock_is_put_back(
    graph: Graph, receiver: Receiver
) -> None:
    company = forwarder(graph, to(receiver))
    sent = record(graph, *story())
    ahead = "MATCH (f:Forwarding) SET f.queued_at = f.queued_at + duration('PT1H')"
    graph.query(ahead, write=True)
    sent += record(graph, *story(), *story())
    assert company.send_due() == len(sent)
    assert arrived(receiver) == sent


def test_what_was_recorded_before_a_target_was_known_is_not_sent(
    graph: Graph, receiver: Receiver
) -> None:
    record(graph, *story())
    assert forwarder(graph, to(receiver)).send_due() == 0


def test_what_is_rolled_back_is_not_sent(graph: Graph, receiver: Receiver) -> None:
    company = forwarder(graph, to(receiver))
    with pytest.raises(ZeroDivisionError):
        graph.write(lambda tx: (commit(tx, extract(story())) and None) or 1 / 0)
    assert company.send_due() == 0


@pytest.mark.parametrize("answer", [500, 503, 429, 401, 404, 301])
def test_a_target_that_is_away_gets_all_of_it_later_in_order(
    graph: Graph, receiver: Receiver, answer: int
) -> None:
    company = forwarder(graph, to(receiver))
    sent = record(graph, *story())
    receiver.answers = [204, answer]
    assert company.send_due() == 1
    found = target(graph)
    assert (found.waiting, found.sent) == (2, 1)
    assert found.error == f"NotDelivered: the server returned {answer}"
    assert found.failing_since
    assert company.send_due() == 0
    receiver.bodies.pop()
    sent += record(graph, *story())
    # A daemon that was started meanwhile goes on where the other was.
    assert forwarder(graph, to(receiver)).send_due(later(11)) == 5
    assert arrived(receiver) == sent
    found = target(graph)
    assert (found.waiting, found.error, found.failing_since) == (0, None, None)


def test_pauses_grow_to_a_limit_and_there_is_no_last_attempt(graph: Graph) -> None:
    nobody = to(Receiver(url="http://127.0.0.1:9/token-of-mine"))
    record(graph, run_event("before"))
    company = forwarder(graph, nobody)
    record(graph, run_event("load"))
    at, pauses = later(0), []
    for _ in range(40):
        assert company.send_due(at) == 0
        due = target(graph).next_at
        assert due
        pauses.append(round((due - at).total_seconds()))
        at = due
    assert pauses == [10, 20] + [30] * 38
    assert target(graph).waiting == 1
    assert "token-of-mine" not in str(graph.query("MATCH (n) RETURN properties(n) AS said"))


def test_a_target_in_trouble_does_not_hold_up_another(graph: Graph, receiver: Receiver) -> None:
    nobody = to(Receiver(url="http://127.0.0.1:9/"), "nobody")
    both = forwarder(graph, nobody, to(receiver))
    sent = record(graph, *story())
    assert both.send_due() == 3
    assert arrived(receiver) == sent
    assert (target(graph, "nobody").waiting, target(graph).waiting) == (3, 0)


def test_an_event_that_is_refused_is_put_aside_and_can_be_sent_again(
    graph: Graph, receiver: Receiver
) -> None:
    company = forwarder(graph, to(receiver))
    sent = record(graph, *story())
    receiver.answers = [204, 422]
    assert company.send_due() == 2
    assert (target(graph).waiting, target(graph).refused) == (0, 1)
    (refused,) = read_refused(graph)
    assert refused.error == "EventRefused: the server returned 422"
    assert redrive_target(graph, "company") == 1
    assert company.send_due() == 1
    assert arrived(receiver) == [*sent, sent[1]]
    assert target(graph).refused == 0
    with pytest.raises(NotFound, match="no target 'elsewhere': the graph has company"):
        redrive_target(graph, "elsewhere")


def test_of_many_senders_at_once_each_event_is_sent_by_one(
    graph: Graph, receiver: Receiver
) -> None:
    senders = [forwarder(graph, to(receiver)) for _ in range(4)]
    sent = [event for _ in range(5) for event in record(graph, *story())]
    with ThreadPoolExecutor(4) as pool:
        while sum(pool.map(lambda one: one.send_due(), senders)):
            pass
    assert arrived(receiver) == sent


def claimed_by_a_dead_daemon(
    graph: Graph, receiver: Receiver
) -> tuple[Forwarder, list[dict[str, Any]]]:
    """Claim a target for a minute, and return who sends to it then, and the queued events."""
    company = forwarder(graph, to(receiver))
    sent = record(graph, *story())
    lease = timedelta(minutes=1)
    graph.write(
        forwards.claim_target, name="company", claim="dead", lease=lease, longest=lease, now=None
    )
    return company, sent


def test_what_was_sent_and_not_noted_is_sent_again_once_the_lease_is_over(
    graph: Graph, receiver: Receiver
) -> None:
    company, sent = claimed_by_a_dead_daemon(graph, receiver)
    assert company.send_due(later(59)) == 0
    assert company.send_due(later(61)) == 3
    assert arrived(receiver) == sent


def test_neither_a_claim_nor_a_pause_outlasts_a_clock_that_is_put_back(
    graph: Graph, receiver: Receiver
) -> None:
    company, sent = claimed_by_a_dead_daemon(graph, receiver)
    receiver.answers = [500]
    assert company.send_due(later(-3600)) == 0
    assert len(receiver.bodies) == 1
    assert company.send_due(later(-3600)) == 0
    assert company.send_due(later(-7200)) == 3
    assert arrived(receiver)[-3:] == sent


def test_a_target_whose_forgetting_was_interrupted_can_be_forgotten_again(
    graph: Graph, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    forwarder(graph, to(receiver))
    record(graph, *story())
    real, parts = forwards.delete_queued, count()

    def interrupted(tx: Transaction, *, name: str, limit: int) -> int:
        if next(parts):
            raise KeyboardInterrupt
        return real(tx, name=name, limit=1)

    monkeypatch.setattr(forwards, "delete_queued", interrupted)
    with pytest.raises(KeyboardInterrupt):
        forget_target(graph, "company")
    assert target(graph).waiting == 2
    monkeypatch.undo()
    forget_target(graph, "company")
    assert graph.query("MATCH (n:ForwardTarget|Forwarding) RETURN n") == []


def test_an_event_that_is_too_large_for_kafka_is_put_aside(graph: Graph) -> None:
    config = {"bootstrap.servers": "127.0.0.1:1", "message.max.bytes": 1000}
    said = {"type": "kafka", "topic": "lineage", "config": config}
    company = forwarder(graph, Forward(name="company", transport=said))
    record(graph, *story("x" * 1000))
    assert company.send_due() == 0
    assert (target(graph).waiting, target(graph).refused) == (0, 3)
    assert "too large" in str(read_refused(graph)[0].error)


@pytest.mark.parametrize("is_inner", [False, True])
def test_an_event_that_another_transport_refuses_for_good_is_put_aside(
    graph: Graph, receiver: Receiver, is_inner: bool
) -> None:
    said: dict[str, Any] = {"type": "http", "url": receiver.url}
    if is_inner:
        said = {"type": "composite", "transports": [said]}
    company = forwarder(graph, Forward(name="company", transport=said))
    record(graph, *story())
    receiver.answers = [413]
    assert company.send_due() == 2
    assert (target(graph).waiting, target(graph).refused) == (0, 1)
    assert read_refused(graph)[0].error == "EventRefused: the server returned 413"


def test_what_is_too_much_is_dropped_from_the_oldest_on_and_counted(
    graph: Graph, receiver: Receiver
) -> None:
    company = forwarder(graph, to(receiver), most=4)
    sent = record(graph, *story(), *story())
    company.tidy()
    assert (target(graph).waiting, target(graph).dropped) == (4, 2)
    assert company.send_due() == 4
    assert arrived(receiver) == sent[2:]


def test_events_that_one_target_refused_take_no_room_of_those_that_wait_for_another(
    graph: Graph, receiver: Receiver
) -> None:
    away = forwarder(graph, to(receiver, "away"), most=6)
    record(graph, *story())
    company = forwarder(graph, to(receiver), most=6)
    record(graph, *story())
    receiver.answers = [422] * 3
    company.send_due()
    company.tidy()
    assert (target(graph, "away").waiting, target(graph, "away").dropped) == (6, 0)
    forwarder(graph, to(receiver), most=2).tidy()
    assert (target(graph).refused, target(graph).dropped) == (2, 0)
    assert away.send_due() == 2


def test_a_refused_event_that_is_queued_again_as_it_is_dropped_stays(
    graph: Graph, receiver: Receiver
) -> None:
    company = forwarder(graph, to(receiver))
    record(graph, *story())
    receiver.answers = [422] * 3
    company.send_due()

    def redrive(tx: Transaction) -> None:
        forwards.set_redriven(tx, name="company")

    def drop(tx: Transaction) -> int:
        return forwards.delete_oldest(tx, waits=False, limit=3)

    assert overlap(graph, redrive, drop) == 0
    assert (target(graph).waiting, target(graph).refused) == (3, 0)


def test_an_event_that_was_deleted_meanwhile_holds_up_no_other(
    graph: Graph, receiver: Receiver
) -> None:
    company = forwarder(graph, to(receiver))
    sent = record(graph, *story())
    graph.query("MATCH (e:Event {event_type: 'RUNNING'}) DETACH DELETE e", write=True)
    assert company.send_due() == 2
    assert arrived(receiver) == [sent[0], sent[2]]
    assert "deleted before it could be sent" in read_refused(graph)[0].error


def test_a_target_that_no_daemon_has_is_forgotten_after_a_week(
    graph: Graph, receiver: Receiver
) -> None:
    forwarder(graph, to(receiver, "old"))
    record(graph, *story())
    company = forwarder(graph, to(receiver))
    company.tidy(later(6 * 86400))
    assert target(graph, "old").waiting == 3
    company.tidy(later(8 * 86400))
    left = "MATCH (n) WHERE n:ForwardTarget OR n:Forwarding RETURN coalesce(n.name, n.target) AS of"
    assert {row["of"] for row in graph.query(left)} == {"company"}
    forget_target(graph, "company")
    assert graph.query(left) == []
