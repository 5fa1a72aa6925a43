"""What was put into the outbox arrives: tried again, given up at last, sent by one of several."""

import json
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
import pytest
from standardwebhooks import Webhook
from structlog.testing import capture_logs

from lineagegraph.daemon.daemon import Daemon
from lineagegraph.errors import NotDelivered, SettingsError
from lineagegraph.graph import Graph
from lineagegraph.model.outbox.routes import Occasion, Route
from lineagegraph.neo4j_server import browser_link
from lineagegraph.outbox.notifications import Transition, notify
from lineagegraph.outbox.notifications.channels import open_channels
from lineagegraph.outbox.notifications.channels.webhook import WebhookChannel
from lineagegraph.outbox.notifications.message import trial_message
from lineagegraph.outbox.notifications.sender import Patience, Sender
from lineagegraph.queries.jobs.outbox import read_notifications
from lineagegraph.settings import Settings
from lineagegraph.store.outbox import notifications
from tests.integration.notifications.conftest import Mailbox
from tests.receiver import Receiver

NOW = datetime(2020, 1, 1, 12, tzinfo=UTC)
SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
QUICK = Patience(attempts=3, pause=timedelta(seconds=10), lease=timedelta(seconds=30))


def route(to: str, **rest: Any) -> Route:
    return Route(**{"on": tuple(Occasion), "to": to, "name": "a"} | rest)


def tell(graph: Graph, *routes: Route, ids: tuple[str, ...] = ("r1",)) -> None:
    found = [
        Transition(
            occasion=Occasion.FAILED,
            about="run",
            id=id_,
            namespace="default",
            job="sales.load",
            at=NOW,
            reason="USER_CODE",
            message="kein Platz für 3 Zeilen",
        )
        for id_ in ids
    ]
    graph.write(notify, found, routes, now=NOW)


def sender(graph: Graph, *routes: Route) -> Sender:
    return Sender(graph, open_channels(routes), QUICK)


def after(seconds: float) -> datetime:
    return NOW + timedelta(seconds=seconds)


def states(graph: Graph) -> list[str]:
    return sorted(f"{n.state} {n.attempts}" for n in read_notifications(graph, 100))


def test_a_webhook_gets_json_with_an_id_that_is_signed(graph: Graph, receiver: Receiver) -> None:
    hook = route(receiver.url, secret=SECRET)
    tell(graph, hook)
    assert sender(graph, hook).send_due() == 1
    said = Webhook(SECRET).verify(receiver.bodies[0], receiver.headers[0])
    assert said["type"] == "run.failed"
    assert said["data"] == {
        "id": receiver.ids[0],
        "title": "run of sales.load failed",
        "run": "r1",
        "namespace": "default",
        "job": "sales.load",
        "reason": "USER_CODE",
        "message": "kein Platz für 3 Zeilen",
    }
    assert datetime.fromisoformat(said["timestamp"]) == NOW
    assert sender(graph, hook).send_due() == 0
    assert states(graph) == ["SENT 1"]


def test_a_message_leads_to_the_run_in_neo4j_browser(graph: Graph, receiver: Receiver) -> None:
    hook = route(receiver.url)
    tell(graph, hook)
    settings = Settings(neo4j_uri="bolt://graph", neo4j_browser_url="http://graph/browser/")
    link = partial(browser_link, settings)
    assert Sender(graph, open_channels((hook,)), QUICK, link).send_due() == 1
    data = json.loads(receiver.bodies[0])["data"]
    assert data["browser"] == browser_link(settings, "run", "r1")


def test_a_webhook_gets_the_failed_attempt_and_the_time_of_the_next(
    graph: Graph, receiver: Receiver
) -> None:
    hook, again = route(receiver.url), NOW + timedelta(minutes=5)
    failed = Transition(
        occasion=Occasion.RETRY,
        about="run",
        id="r1",
        namespace="default",
        job="sales.load",
        at=NOW,
        message="no rows",
        attempt=2,
        next_attempt=again,
    )
    graph.write(notify, [failed], (hook,), now=NOW)
    assert sender(graph, hook).send_due() == 1
    said = json.loads(receiver.bodies[0])
    assert said["type"] == "run.retry"
    assert said["data"] == {
        "id": receiver.ids[0],
        "title": "run of sales.load failed and is tried again",
        "run": "r1",
        "namespace": "default",
        "job": "sales.load",
        "message": "no rows",
        "attempt": "2",
        "next_attempt": again.isoformat(),
    }


@pytest.mark.parametrize("answer", [500, 429, 404, 301])
def test_what_is_refused_is_tried_again_after_a_pause(
    graph: Graph, receiver: Receiver, answer: int
) -> None:
    hook = route(receiver.url)
    receiver.answers = [answer]
    tell(graph, hook)
    assert sender(graph, hook).send_due(NOW) == 0
    (found,) = read_notifications(graph)
    assert (found.state, found.next_at) == ("PENDING", after(10))
    assert found.error == f"NotDelivered: the webhook returned {answer}"
    assert sender(graph, hook).send_due(after(9)) == 0
    assert len(receiver.bodies) == 1
    assert sender(graph, hook).send_due(after(10)) == 1
    assert len(set(receiver.ids)) == 1
    assert states(graph) == ["SENT 2"]


def test_a_message_does_not_wait_for_a_clock_that_was_put_back(
    graph: Graph, receiver: Receiver
) -> None:
    hook = route(receiver.url)
    tell(graph, hook)
    assert sender(graph, hook).send_due(after(-3600)) == 1
    assert states(graph) == ["SENT 1"]


def test_what_never_arrives_is_dead_after_the_last_attempt(graph: Graph) -> None:
    poison = route("http://127.0.0.1:9/token-of-mine")
    tell(graph, poison)
    seen = []
    for seconds in (0, 10, 29, 30, 1000):
        sender(graph, poison).send_due(after(seconds))
        seen += states(graph)
    assert seen == ["PENDING 1", "PENDING 2", "PENDING 2", "DEAD 3", "DEAD 3"]
    (found,) = read_notifications(graph)
    assert found.error
    assert "token-of-mine" not in str(graph.query("MATCH (n) RETURN properties(n) AS said"))


def test_a_receiver_that_says_nothing_is_left_after_a_time(
    graph: Graph, receiver: Receiver
) -> None:
    hook = route(receiver.url)
    tell(graph, hook)
    receiver.gate.clear()
    slow = {"a": WebhookChannel(receiver.url, None, seconds=0.2)}
    assert Sender(graph, slow, QUICK).send_due(NOW) == 0
    assert read_notifications(graph)[0].error.startswith("ReadTimeout")
    receiver.gate.set()
    assert sender(graph, hook).send_due(after(10)) == 1


def test_a_channel_in_trouble_does_not_hold_up_the_others(graph: Graph, receiver: Receiver) -> None:
    poison, hook = route("http://127.0.0.1:9/", name="poison"), route(receiver.url)
    tell(graph, poison, hook, ids=("r1", "r2", "r3"))
    assert sender(graph, poison, hook).send_due(NOW) == 3
    assert states(graph) == ["PENDING 0", "PENDING 0", "PENDING 1", *["SENT 1"] * 3]


def test_of_several_senders_one_sends(graph: Graph, receiver: Receiver) -> None:
    hook = route(receiver.url)
    tell(graph, hook, ids=tuple(f"r{i}" for i in range(20)))
    senders = [sender(graph, hook) for _ in range(4)]
    with ThreadPoolExecutor(4) as pool:
        while any(pool.map(Sender.send_due, senders)):
            pass
    assert len(receiver.ids) == len(set(receiver.ids)) == 20
    assert states(graph) == ["SENT 1"] * 20


def claim(graph: Graph, now: datetime) -> notifications.ClaimedNotification | None:
    return graph.write(
        notifications.claim_notification, channel="a", claim="mine", lease=QUICK.lease, now=now
    )


def test_what_a_dead_sender_had_taken_is_sent_by_another_under_the_same_id(
    graph: Graph, receiver: Receiver
) -> None:
    hook = route(receiver.url)
    tell(graph, hook)
    taken = claim(graph, NOW)
    assert taken is not None
    assert sender(graph, hook).send_due(after(29)) == 0
    assert sender(graph, hook).send_due(after(30)) == 1
    assert receiver.ids == [taken.key]
    graph.write(
        notifications.settle_failed, key=taken.key, claim="mine", error="x", pause=None, now=NOW
    )
    assert states(graph) == ["SENT 2"]


def test_what_ends_every_process_that_tries_it_is_given_up(
    graph: Graph, receiver: Receiver
) -> None:
    hook = route(receiver.url)
    tell(graph, hook)
    for seconds in (0, 30, 60):
        assert claim(graph, after(seconds)) is not None
    assert sender(graph, hook).send_due(after(90)) == 0
    assert (states(graph), receiver.bodies) == (["DEAD 4"], [])


def test_what_nobody_has_a_route_for_is_given_up_and_old_news_is_deleted(graph: Graph) -> None:
    tell(graph, route("log:", name="gone"))
    other = sender(graph, route("log:"))
    other.tidy(after(3600))
    assert states(graph) == ["PENDING 0"]
    other.tidy(NOW + timedelta(days=2))
    (found,) = read_notifications(graph)
    assert found.state == "DEAD"
    assert found.error == "not sent: no daemon has a route of this name"
    other.tidy(NOW + timedelta(days=31))
    assert states(graph) == []


def test_news_of_a_cluster_that_is_left_is_kept_so_that_it_is_told_once(graph: Graph) -> None:
    tell(graph, route("log:"))
    other = sender(graph, route("log:"))
    assert other.send_due() == 1
    graph.query("MATCH (n:Notification) CREATE (:Cluster {id: n.subject})", write=True)
    other.tidy(NOW + timedelta(days=31))
    assert len(states(graph)) == 1
    graph.query("MATCH (c:Cluster) DELETE c", write=True)
    other.tidy(NOW + timedelta(days=31))
    assert states(graph) == []


def test_news_of_a_known_channel_is_tried_also_after_days_without_a_daemon(graph: Graph) -> None:
    tell(graph, route("log:"))
    sender(graph, route("log:")).tidy(NOW + timedelta(days=2))
    assert states(graph) == ["PENDING 0"]


def test_mail_goes_to_all_with_an_id_and_everything_in_it(graph: Graph, mailbox: Mailbox) -> None:
    address = (
        f"mailto:ops@example.org,b+c@example.org?smtp=localhost:{mailbox.port}&from=lg@here.org"
    )
    tell(graph, route(address))
    assert sender(graph, route(address)).send_due() == 1
    (mail,) = mailbox.mails
    assert (mail["from"], mail["to"]) == ("lg@here.org", "ops@example.org, b+c@example.org")
    assert mail["subject"] == "[lineagegraph] run of sales.load failed"
    assert mail["message-id"] == f"<{read_notifications(graph)[0].key}@lineagegraph>"
    assert "message: kein Platz für 3 Zeilen" in mail.get_content()


def test_a_password_is_not_sent_to_another_machine_unencrypted(mailbox: Mailbox) -> None:
    elsewhere = f"mailto:a@b.org?smtp=smtp://me:pass%40word@127.1:{mailbox.port}"
    (channel,) = open_channels([route(elsewhere)]).values()
    with pytest.raises(NotDelivered, match="offers no TLS"):
        channel.send(trial_message(NOW, "1"))


def test_mail_to_another_machine_turns_to_tls_before_the_password(safe_mailbox: Mailbox) -> None:
    elsewhere = f"mailto:a@b.org?smtp=me:pass%40word@127.1:{safe_mailbox.port}"
    (channel,) = open_channels([route(elsewhere)]).values()
    channel.send(msgspec.structs.replace(trial_message(NOW, "1"), title="run of\na\0b failed"))
    assert safe_mailbox.logins == [(b"me", b"pass@word")]
    (mail,) = safe_mailbox.mails
    assert mail["subject"] == "[lineagegraph] run of a b failed"


@pytest.mark.filterwarnings("ignore:.*imghdr")
def test_the_log_and_what_apprise_knows_are_channels_too(graph: Graph, receiver: Receiver) -> None:
    others = (route("log:", name="log"), route(f"apprise:{receiver.url.replace('http', 'json')}"))
    tell(graph, *others)
    with capture_logs() as lines:
        assert sender(graph, *others).send_due() == 2
    assert lines[0] | {"run": "r1", "event": "run of sales.load failed"} == lines[0]
    assert json.loads(receiver.bodies[0])["title"] == "run of sales.load failed"


@pytest.mark.filterwarnings("ignore:.*imghdr")
def test_an_error_of_apprise_does_not_show_the_address(
    graph: Graph, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(self: Any, **message: str) -> bool:
        raise TypeError("json://me:hunter2@localhost cannot be reached")

    monkeypatch.setattr("apprise.Apprise.notify", fail)
    to = route("apprise:json://me:hunter2@localhost")
    tell(graph, to)
    sender(graph, to).send_due(NOW)
    (row,) = read_notifications(graph, 10)
    assert row.error == "NotDelivered: apprise could not deliver it: TypeError"


def test_an_error_of_a_channel_has_no_login(graph: Graph) -> None:
    class Broken:
        def send(self, message: object) -> None:
            raise OSError("https://me:hunter2@hooks.example.org is away")

    tell(graph, route("log:"))
    Sender(graph, {"a": Broken()}, QUICK).send_due(NOW)
    (row,) = read_notifications(graph, 10)
    assert row.error is not None
    assert "hunter2" not in row.error
    assert "hooks.example.org is away" in row.error


@pytest.mark.parametrize(
    ("to", "says"),
    [
        ("mailto:?smtp=localhost", "a mail route is written mailto:WHO@WHERE?smtp=HOST:PORT"),
        ("mailto:a@b.org?smtp=x&bcc=secret", "a mail route is written mailto:WHO@WHERE?smtp="),
        ("mailto:a@b.org", "a mail route names its server: smtp=HOST:PORT"),
        ("mailto:a@b.org?smtp=ftp://secret", "a mail route names its server"),
        ("mailto:a@b.org?smtp=x:99999", "a mail route names its server"),
        ("apprise:nonsense://secret", "apprise knows no service with the address"),
        ("https://", "its address has no host"),
        ("https://secret:x@:y/", "its address"),
    ],
)
def test_an_address_that_cannot_be_used_is_refused_at_the_start_without_being_shown(
    to: str, says: str
) -> None:
    with pytest.raises(SettingsError, match=r"setting notify: route a: ") as error:
        open_channels([route(to)])
    assert says in str(error.value)
    assert "secret" not in str(error.value)


def test_a_daemon_sends(graph: Graph, receiver: Receiver, tmp_path: Path) -> None:
    hook = route(receiver.url)
    settings = Settings(home=tmp_path, tick_seconds=0.1, notify=(hook,), port=8701)
    daemon = Daemon(graph, settings)
    daemon.start()
    try:
        tell(graph, hook)
        end = time.monotonic() + 20
        while not receiver.bodies and time.monotonic() < end:
            time.sleep(0.05)
    finally:
        daemon.stop()
    assert len(receiver.bodies) == 1
    assert json.loads(receiver.bodies[0])["data"]["page"] == "http://127.0.0.1:8701/#/run/r1"
