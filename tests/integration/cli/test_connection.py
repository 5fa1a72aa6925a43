"""`connection` keeps what opens things on this machine, and shows no secret."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from lineagegraph.cli.program import app
from lineagegraph.errors import ConnectionNotSet
from lineagegraph.settings import load_settings

SECRET = "s3cr3t-v4lue"


@pytest.fixture(autouse=True)
def _home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LINEAGEGRAPH_HOME", str(tmp_path / "home"))
    load_settings.cache_clear()


def _run(*words: str, given: str | None = None) -> Result:
    return CliRunner().invoke(app, ["connection", *words], input=given)


def test_a_connection_is_set_shown_listed_and_unset() -> None:
    assert _run("set", "warehouse", f"postgresql://me:{SECRET}@host/db").exit_code == 0
    assert _run("show", "warehouse").output == "url: postgresql://***@host/db\n"
    listed = json.loads(_run("list", "--json").output)
    assert listed == [
        {"name": "warehouse", "set_in": "file", "url": "postgresql://***@host/db"},
    ]
    assert "warehouse" in _run("list").output
    assert _run("unset", "warehouse").exit_code == 0
    assert "no connections" in _run("list").output
    assert isinstance(_run("show", "warehouse").exception, ConnectionNotSet)


@pytest.mark.parametrize("words", [("set", "api"), ("set", "api", "-")])
def test_a_secret_is_read_where_no_list_of_processes_shows_it(words: tuple[str, ...]) -> None:
    said = json.dumps({"url": "https://host", "token": SECRET})
    assert _run(*words, given=said).exit_code == 0
    shown = _run("show", "api", "--json").output
    assert json.loads(shown) == {"name": "api", "url": "https://host", "token": "***"}


def test_one_of_the_environment_is_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LINEAGEGRAPH_CONNECTION_LAKE", f'{{"options": {{"secret": "{SECRET}"}}}}')
    assert json.loads(_run("list", "--json").output) == [
        {"name": "lake", "set_in": "environment", "options": {"secret": "***"}}
    ]
