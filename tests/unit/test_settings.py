"""Settings come from the environment first, then from lineagegraph.toml, then from defaults."""

import os
from pathlib import Path

import pytest

from lineagegraph.errors import SettingsError
from lineagegraph.process_environment import handover
from lineagegraph.settings import Settings, load_settings, settings_environment


@pytest.fixture(autouse=True)
def _fresh(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("LINEAGEGRAPH_PORT", raising=False)
    load_settings.cache_clear()


def test_the_environment_beats_the_file(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "lineagegraph.toml").write_text("port = 1000\nworker_slots = 7\n")
    monkeypatch.setenv("LINEAGEGRAPH_PORT", "2000")
    settings = load_settings()
    assert (settings.port, settings.worker_slots) == (2000, 7)


def test_a_wrong_setting_is_named_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LINEAGEGRAPH_PORT", "abc")
    with pytest.raises(SettingsError, match=r"setting port: .*LINEAGEGRAPH_PORT") as caught:
        load_settings()
    assert "\n" not in str(caught.value)


def test_an_unknown_setting_in_the_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "lineagegraph.toml").write_text("prot = 1000\n")
    with pytest.raises(SettingsError, match="prot"):
        load_settings()


def test_another_process_reads_the_same_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    retention = {"*": "90d", "raw": "12h"}
    roles = {"engineers": ("read:*", "write:shop"), "realm admins": ("operate:*",)}
    settings = Settings(
        home=Path("/x"), neo4j_password="secret", retention=retention, oidc_roles=roles
    )
    for name, value in settings_environment(settings).items():
        monkeypatch.setenv(name, value)
    assert load_settings() == settings


@pytest.mark.parametrize("age", ["soon", "90", "-1d", "99999999999w", 5])
def test_an_age_that_is_none_is_refused(tmp_path: Path, age: object) -> None:
    (tmp_path / "lineagegraph.toml").write_text(f"[retention]\nraw = {age!r}\n")
    fault = r"setting retention.raw: .* (is not a duration|is too long)"
    with pytest.raises(SettingsError, match=fault):
        load_settings()


def test_a_tilde_in_a_path_is_the_folder_of_the_user(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/users/ann")
    monkeypatch.setenv("LINEAGEGRAPH_HOME", "~/graph")
    Path("lineagegraph.toml").write_text('definitions = ["~/etl", "etl"]\n')
    settings = load_settings()
    assert settings.home == Path("/users/ann/graph")
    assert settings.definitions == (Path("/users/ann/etl"), Path("etl"))


@pytest.mark.parametrize(
    ("stated", "read"),
    [("~/t", "/users/ann/t"), ("tables", "tables"), ("s3a://lake/~a", "s3a://lake/~a")],
)
def test_tables_are_in_the_folder_of_the_user_or_at_a_url(
    monkeypatch: pytest.MonkeyPatch, stated: str, read: str
) -> None:
    monkeypatch.setenv("HOME", "/users/ann")
    monkeypatch.setenv("LINEAGEGRAPH_TABLES", stated)
    assert load_settings().tables == read


@pytest.mark.parametrize("path", ["", "~nobody-of-this-name/graph"])
def test_a_path_that_leads_nowhere_is_refused(monkeypatch: pytest.MonkeyPatch, path: str) -> None:
    monkeypatch.setenv("LINEAGEGRAPH_HOME", path)
    with pytest.raises(SettingsError, match="setting home: "):
        load_settings()


@pytest.mark.parametrize("content", [b"port = \n", b"home = '\xff'\n"])
def test_a_file_that_is_no_toml_is_named_in_one_line(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "lineagegraph.toml").write_bytes(content)
    with pytest.raises(SettingsError, match=r"^lineagegraph.toml: not TOML: .+$"):
        load_settings()


def test_a_zone_that_is_none_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LINEAGEGRAPH_ZONE", "Mars/X")
    with pytest.raises(SettingsError, match=r"setting zone: .*'Mars/X' is not a time zone"):
        load_settings()


def test_settings_that_were_handed_over_are_not_those_of_a_later_file(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(handover, "_handed", [])
    with handover.handing_over(Settings(home=tmp_path, port=1000)) as given:
        (tmp_path / "lineagegraph.toml").write_text('neo4j_uri = "bolt://other"\nport = "no"\n')
        (number,) = given.descriptors
        for name, value in given.environment.items():
            monkeypatch.setenv(name, value)
        monkeypatch.setenv("LINEAGEGRAPH_SETTINGS_DESCRIPTOR", str(os.dup(number)))
        settings = handover.receive_settings()
    assert (settings.neo4j_uri, settings.port, settings.home) == (None, 1000, tmp_path)


@pytest.mark.parametrize(
    ("name", "value", "beat"),
    [("LEASE", "6", 2.0), ("LEASE", "60", 5.0), ("HEARTBEAT", "7", 20 / 3), ("HEARTBEAT", "1", 1)],
)
def test_a_lease_has_at_least_three_heartbeats(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str, beat: float
) -> None:
    """A daemon that beats more seldom trusts itself too little to call any run lost."""
    monkeypatch.setenv(f"LINEAGEGRAPH_{name}_SECONDS", value)
    assert load_settings().beat_seconds == beat
