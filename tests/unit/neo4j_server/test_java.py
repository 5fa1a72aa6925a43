"""Finding a Java that is new enough."""

from pathlib import Path

import pytest

from lineagegraph.errors import JavaMissing
from lineagegraph.neo4j_server.java import find_java, java_version, parse_version
from lineagegraph.process_environment.handover import handing_over, task_environment
from lineagegraph.settings import Settings


def java_home(folder: Path, printed: str) -> Path:
    java = folder / "bin" / "java"
    java.parent.mkdir(parents=True)
    java.write_text(f"#!/bin/sh\necho '{printed}' >&2\n")
    java.chmod(0o755)
    return folder


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(home=tmp_path / "home", cache=tmp_path / "cache")


@pytest.mark.parametrize(
    ("printed", "version"),
    [
        ('openjdk version "17.0.15" 2025-04-15\nOpenJDK Runtime Environment (build 17)', 17),
        ('java version "1.8.0_392"\nJava(TM) SE Runtime Environment', 8),
        ('openjdk version "21" 2023-09-19', 21),
        ('Picked up JAVA_TOOL_OPTIONS: -Xmx1g\nopenjdk version "25-ea" 2025-09-16', 25),
        ("sh: java: not found", None),
        ("", None),
    ],
)
def test_the_major_version_is_read_from_what_java_prints(printed: str, version: int | None) -> None:
    assert parse_version(printed) == version


def test_a_folder_without_java_has_no_version(tmp_path: Path) -> None:
    assert java_version(tmp_path) is None


def test_java_is_found_from_a_folder_that_was_deleted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = java_home(tmp_path / "named", "")
    (home / "bin" / "java").write_text(
        "#!/bin/sh\n/bin/pwd > /dev/null && echo 'openjdk version \"21\"' >&2\n"
    )
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    assert java_version(home) == 21


def test_java_home_comes_before_the_path(
    settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = java_home(tmp_path / "named", 'openjdk version "17.0.1"')
    other = java_home(tmp_path / "other", 'openjdk version "21.0.1"')
    monkeypatch.setenv("PATH", str(other / "bin"), prepend=":")
    monkeypatch.setenv("JAVA_HOME", str(home))
    assert find_java(settings) == home


def test_a_relative_java_home_holds_in_other_folders(
    settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = java_home(tmp_path / "named", 'openjdk version "17.0.1"')
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("JAVA_HOME", "named")
    assert find_java(settings) == home
    assert task_environment(settings)["JAVA_HOME"] == str(home)
    with handing_over(settings) as handed:
        assert handed.environment["JAVA_HOME"] == str(home)
    monkeypatch.delenv("JAVA_HOME")
    assert find_java(settings.model_copy(update={"java_home": Path("named")})) == home


def test_an_old_java_home_is_passed_over(
    settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("JAVA_HOME", str(java_home(tmp_path / "old", 'java version "1.8.0"')))
    other = java_home(tmp_path / "other", 'openjdk version "21.0.1"')
    monkeypatch.setenv("PATH", str(other / "bin"), prepend=":")
    assert find_java(settings) == other


def test_a_java_that_was_fetched_is_found(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("JAVA_HOME", raising=False)
    monkeypatch.setenv("PATH", "/nowhere")
    fetched = java_home(settings.cache / "java" / "some", 'openjdk version "21.0.1"')
    assert find_java(settings) == fetched


def test_a_java_that_the_settings_name_is_the_only_one(settings: Settings, tmp_path: Path) -> None:
    named = java_home(tmp_path / "old", 'java version "1.8.0"')
    chosen = settings.model_copy(update={"java_home": named})
    with pytest.raises(JavaMissing, match=f"LINEAGEGRAPH_JAVA_HOME: {named}"):
        find_java(chosen)
