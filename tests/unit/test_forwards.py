"""Targets that events are forwarded to: what they take, and that nobody sees what opens them."""

import re
from pathlib import Path

import pytest

from lineagegraph.errors import SettingsError
from lineagegraph.model.outbox.targets import Forward
from lineagegraph.outbox.forwarding.secrets import hide_secrets
from lineagegraph.outbox.forwarding.transports import open_transports
from lineagegraph.outbox.forwarding.transports.confirmed import message_key
from lineagegraph.settings import Settings, load_settings, settings_environment
from tests.events import job_event, run_event

TARGETS = """
[[forward]]
name = "company"
url = "https://lineage.example.org"
token = "secret-token"
headers = {x-team = "secret-team"}
send = "all"
namespaces = ["prod-*", "test"]

[[forward]]
name = "stream"
transport = {type = "kafka", topic = "lineage", config = {"sasl.password" = "secret-password"}}
"""


@pytest.fixture(autouse=True)
def _fresh(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    load_settings.cache_clear()


def test_targets_are_read_from_the_file_and_what_opens_them_is_not_shown() -> None:
    Path("lineagegraph.toml").write_text(TARGETS)
    company, stream = load_settings().forward
    assert company.address == "https://lineage.example.org/api/v1/lineage"
    assert (company.send, stream.send) == ("all", "own")
    assert re.fullmatch(company.namespace_pattern, "prod-eu")
    assert not re.fullmatch(company.namespace_pattern, "testing")
    assert stream.transport
    assert stream.transport.get_secret_value()["topic"] == "lineage"
    assert "secret-" not in repr(load_settings())


def test_another_process_reads_the_same_targets(monkeypatch: pytest.MonkeyPatch) -> None:
    Path("lineagegraph.toml").write_text(TARGETS)
    targets = load_settings().forward
    settings = Settings(home=Path("/x"), forward=targets)
    Path("lineagegraph.toml").unlink()
    load_settings.cache_clear()
    for name, value in settings_environment(settings).items():
        monkeypatch.setenv(name, value)
    assert load_settings() == settings
    assert load_settings().forward == targets


@pytest.mark.parametrize(
    ("url", "address"),
    [
        ("http://x", "http://x/api/v1/lineage"),
        ("http://x/", "http://x/api/v1/lineage"),
        ("http://x?key=1", "http://x/api/v1/lineage?key=1"),
        ("http://x/collect", "http://x/collect"),
    ],
)
def test_a_url_without_a_path_means_the_usual_one(url: str, address: str) -> None:
    assert Forward(name="a", url=url).address == address


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('[{name = "a", url = "ftp://secret-part"}]', "forward.0.url: .*must be http://HOST"),
        ('[{name = "a", url = "http://"}]', "forward.0.url: .*must be http://HOST"),
        ('[{name = "a"}]', "forward.0: .*a needs either a url or a transport"),
        ('[{name = "a", url = "http://x", transport = {type = "file"}}]', "either a url or"),
        ('[{name = "a", transport = {topic = "secret-part"}}]', "needs a type"),
        ('[{name = "a", transport = {type = "file"}, token = "secret-part"}]', "go with a url"),
        ('[{name = "a b", url = "http://x"}]', "forward.0.name"),
        ('[{name = "a", url = "http://x", sends = "all"}]', "forward.0.sends: Extra inputs"),
        ('[{name = "a", url = "http://x", send = "some"}]', "Input should be 'own' or 'all'"),
        ('[{name = "a", url = "http://x"}, {name = "a", url = "http://y"}]', "two targets are"),
    ],
)
def test_a_target_that_cannot_be_is_refused_without_its_secrets(text: str, says: str) -> None:
    Path("lineagegraph.toml").write_text(f"forward = {text}")
    with pytest.raises(SettingsError, match=says) as refused:
        load_settings()
    assert "secret-part" not in str(refused.value)


@pytest.mark.parametrize(
    ("transport", "says"),
    [
        ({"type": "async_http", "url": "http://x"}, "async_http does not confirm events"),
        (
            {"type": "gcplineage", "project_id": "p"},
            "takes only events of openlineage-python",
        ),
        (
            {"type": "transform", "transport": {"type": "console"}, "transformer_class": "x.Y"},
            "takes only events of openlineage-python",
        ),
        ({"type": "nothing.like.it"}, "transport nothing.like.it cannot be made"),
        ({"type": "kafka", "topic": "x"}, "transport kafka cannot be made: RuntimeError"),
        (
            {"type": "composite", "transports": [{"type": "async_http", "url": "http://x"}]},
            "async_http does not confirm",
        ),
    ],
)
def test_a_transport_that_cannot_be_is_refused(transport: dict[str, object], says: str) -> None:
    with pytest.raises(SettingsError, match=f"setting forward: target a: .*{says}"):
        open_transports([Forward(name="a", transport=transport)])


def test_an_environment_that_would_lose_every_event_is_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("OPENLINEAGE_DISABLED", "true")
    with pytest.raises(SettingsError, match="OPENLINEAGE_DISABLED is set"):
        open_transports([Forward(name="a", transport={"type": "file", "log_file_path": "/x"})])


def test_what_opens_a_target_is_taken_out_of_what_is_said() -> None:
    web = Forward(name="a", url="https://x.org/secret", token="t0ken", headers={"k": "he4der"})
    assert hide_secrets("at https://x.org/secret with t0ken, he4der", web) == "at *** with ***, ***"
    said = {"type": "kafka", "topic": "all", "config": {"sasl.password": "passw0rd"}}
    assert hide_secrets("kafka: passw0rd", Forward(name="a", transport=said)) == "kafka: ***"


def test_messages_of_one_topmost_run_have_one_key() -> None:
    task = run_event("dag.task", parent=("0190", "dag"), namespace="n")
    assert message_key(task) == message_key(run_event("dag", namespace="n")) == "run:n/dag"
    assert message_key(job_event("dag", job_type="DAG", namespace="n")) == "job:n/dag"
    assert message_key({"dataset": {"namespace": "n", "name": "d"}}) == "dataset:n/d"


def test_members_that_are_null_make_no_other_key() -> None:
    job = job_event("dag", job_type="DAG", namespace="n")
    assert message_key(job | {"run": None, "dataset": None}) == "job:n/dag"
    assert message_key(run_event("dag", namespace="n") | {"dataset": None}) == "run:n/dag"
    nothing = {"run": None, "job": None, "inputs": None}
    assert message_key(nothing | {"dataset": {"namespace": "n", "name": "d"}}) == "dataset:n/d"
