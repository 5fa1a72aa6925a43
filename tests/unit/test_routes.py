"""Routes of notifications: what they take, and that nobody sees their addresses."""

from pathlib import Path

import pytest

from lineagegraph.errors import SettingsError
from lineagegraph.model.outbox.routes import Occasion, Route
from lineagegraph.settings import Settings, load_settings, settings_environment

HOOK = "https://hooks.example.org/T0/secret-part"
ROUTES = """
[[notify]]
on = ["failed", "dead_letter"]
to = "https://hooks.example.org/T0/secret-part"

[[notify]]
name = "ops"
on = ["expired"]
to = "mailto:ops@example.org?smtp=mail.example.org"
jobs = ["sales.*"]
"""


@pytest.fixture(autouse=True)
def _fresh(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    load_settings.cache_clear()


def write(text: str) -> None:
    Path("lineagegraph.toml").write_text(text)


def test_routes_are_read_from_the_file_and_named_without_their_address() -> None:
    write(ROUTES)
    hook, ops = load_settings().notify
    assert ops.channel == "ops"
    assert hook.channel.startswith("https-")
    assert hook.channel == Route(on=("skipped",), to=HOOK).channel
    assert hook.takes(Occasion.FAILED, "default", "any", is_top=True)
    assert not hook.takes(Occasion.FAILED, "default", "any", is_top=False)
    assert not ops.takes(Occasion.EXPIRED, "default", "hr.load", is_top=True)
    assert "secret-part" not in repr(load_settings())


def test_another_process_reads_the_same_routes(monkeypatch: pytest.MonkeyPatch) -> None:
    routes = (Route(on=("failed",), to=HOOK, secret="MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"),)
    settings = Settings(home=Path("/x"), notify=routes)
    for name, value in settings_environment(settings).items():
        monkeypatch.setenv(name, value)
    assert load_settings() == settings


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('[{on = ["failed"], to = "ftp://secret-part"}]', "notify.0.to: .*must begin with one of"),
        ('[{on = ["failed"], to = "https://x/\\nsecret-part"}]', "notify.0.to: .*must begin"),
        ('[{on = ["secret-part"], to = "log:"}]', r"notify.0.on.0: Input should be 'waiting'"),
        ('[{on = [], to = "log:"}]', "notify.0.on: "),
        (
            '[{on = ["failed"], to = "log:", secret = "secret-part"}]',
            "notify.0.secret: .*in base64, as `openssl",
        ),
        ('[{on = ["failed"], to = "log:", name = "a b"}]', "notify.0.name: "),
        ('[{on = ["failed"], too = "secret-part", to = "log:"}]', "notify.0.too: Extra inputs"),
        (
            '[{on = ["failed"], to = "log:", name = "a"},'
            ' {on = ["failed"], to = "log:secret-part", name = "a"}]',
            "notify: .*two routes are named a but have different addresses",
        ),
    ],
)
def test_a_wrong_route_is_refused_in_one_line_that_does_not_show_it(text: str, says: str) -> None:
    write(f"notify = {text}\n")
    with pytest.raises(SettingsError, match=f"setting {says}") as caught:
        load_settings()
    assert "LINEAGEGRAPH_NOTIFY or lineagegraph.toml" in str(caught.value)
    assert "\n" not in str(caught.value)
    assert "secret-part" not in f"{caught.value} {caught.value.__cause__}"


def test_routes_in_the_environment_are_json(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LINEAGEGRAPH_NOTIFY", "on failed to log:secret-part")
    with pytest.raises(SettingsError, match=r"notify.* must be JSON") as caught:
        load_settings()
    assert "secret-part" not in str(caught.value)
