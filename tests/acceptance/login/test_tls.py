"""HTTP over TLS: certificates are replaced while the server runs, and faults are named."""

import signal
import socket
import ssl
import time
from collections.abc import Iterator
from pathlib import Path

import httpx2 as httpx
import pytest
import trustme
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    PrivateFormat,
    load_pem_private_key,
)
from starlette.applications import Starlette
from starlette.responses import Response
from starlette.routing import Route

from lineagegraph.errors import SettingsError
from lineagegraph.graph import Graph
from lineagegraph.http import HttpServer, bind, load_tls, make_application
from lineagegraph.neo4j_server import ServerAddress
from lineagegraph.settings import Settings
from tests.acceptance.processes import Commands, shared, until


def issue(authority: trustme.CA, folder: Path) -> Settings:
    """Write a certificate and its key where the settings name them."""
    issued = authority.issue_cert("127.0.0.1", "localhost")
    issued.private_key_pem.write_to_path(folder / "key.pem")
    issued.cert_chain_pems[0].write_to_path(folder / "certificate.pem")
    return Settings(
        home=folder, tls_certificate=folder / "certificate.pem", tls_key=folder / "key.pem"
    )


def trusting(*authorities: trustme.CA) -> ssl.SSLContext:
    context = ssl.create_default_context()
    for authority in authorities:
        authority.configure_trust(context)
    return context


@pytest.fixture
def authority() -> trustme.CA:
    return trustme.CA()


@pytest.fixture
def secure(graph: Graph, authority: trustme.CA, tmp_path: Path) -> Iterator[str]:
    """The address of a server over TLS."""
    settings = issue(authority, tmp_path)
    application = make_application(graph, settings)
    server = HttpServer(application, bind("127.0.0.1", 0), load_tls(settings))
    server.start()
    yield server.url
    server.stop()


def test_a_new_certificate_is_used_without_a_restart_and_open_connections_stay(
    secure: str, authority: trustme.CA, tmp_path: Path
) -> None:
    assert secure.startswith("https://")
    with httpx.Client(base_url=secure, verify=trusting(authority)) as first:
        assert first.get("/health").status_code == 200
        other = trustme.CA()
        issue(other, tmp_path)

        def is_new() -> bool:
            try:
                return httpx.get(f"{secure}/health", verify=trusting(other)).status_code == 200
            except httpx.ConnectError:
                return False

        until(is_new, seconds=5)
        with pytest.raises(httpx.ConnectError, match="CERTIFICATE_VERIFY_FAILED"):
            httpx.get(f"{secure}/health", verify=trusting(authority))
        assert first.get("/health").status_code == 200


def test_files_that_do_not_fit_each_other_leave_the_old_ones_in_use(
    secure: str, authority: trustme.CA, tmp_path: Path
) -> None:
    key = (tmp_path / "key.pem").read_bytes()
    strange = trustme.CA().issue_cert("127.0.0.1").private_key_pem
    for wrong in (strange.bytes(), b"", None):
        if wrong is None:
            (tmp_path / "key.pem").unlink()
        else:
            (tmp_path / "key.pem").write_bytes(wrong)
        # New files are seen a second after the last check.
        time.sleep(1.1)
        assert is_answered(secure, authority)
    (tmp_path / "key.pem").write_bytes(key)
    assert is_answered(secure, authority)


def is_answered(url: str, authority: trustme.CA) -> bool:
    return httpx.get(f"{url}/health", verify=trusting(authority)).status_code == 200


@pytest.mark.filterwarnings("ignore:.*TLSv1:DeprecationWarning")
@pytest.mark.parametrize("newest", [ssl.TLSVersion.TLSv1_1, ssl.TLSVersion.TLSv1_2])
def test_tls_is_at_least_1_2(secure: str, authority: trustme.CA, newest: ssl.TLSVersion) -> None:
    context = trusting(authority)
    context.set_ciphers("ALL:@SECLEVEL=0")
    context.minimum_version = ssl.TLSVersion.TLSv1_1
    context.maximum_version = newest
    url = httpx.URL(secure)
    with socket.create_connection((url.host, url.port), 5) as plain:
        if newest is ssl.TLSVersion.TLSv1_2:
            context.wrap_socket(plain, server_hostname="127.0.0.1").close()
            return
        with pytest.raises((ssl.SSLError, ConnectionError)):
            context.wrap_socket(plain, server_hostname="127.0.0.1")


def test_an_idle_client_does_not_delay_the_stop(authority: trustme.CA, tmp_path: Path) -> None:
    application = Starlette(routes=[Route("/", lambda request: Response())])
    application.state.stop_streams = lambda: None
    settings = application.state.settings = issue(authority, tmp_path)
    server = HttpServer(application, bind("127.0.0.1", 0), load_tls(settings))
    server.start()
    with httpx.Client(base_url=server.url, verify=trusting(authority)) as client:
        assert client.get("/").status_code == 200
        before = time.monotonic()
        server.stop()
        assert time.monotonic() - before < 5


def test_a_key_may_have_a_password(authority: trustme.CA, tmp_path: Path) -> None:
    settings = issue(authority, tmp_path)
    key = load_pem_private_key((tmp_path / "key.pem").read_bytes(), None)
    locked = key.private_bytes(
        Encoding.PEM, PrivateFormat.PKCS8, BestAvailableEncryption(b"pass word")
    )
    (tmp_path / "key.pem").write_bytes(locked)
    password = tmp_path / "password"
    password.write_text("pass word\n")
    named = settings.model_copy(update={"tls_key_password_file": password})
    assert load_tls(named) is not None
    password.write_text("wrong")
    for refused in (named, settings):
        with pytest.raises(SettingsError, match=r"tls_key: .*tls_key_password_file"):
            load_tls(refused)


def test_faults_of_the_files_are_named_in_one_line(authority: trustme.CA, tmp_path: Path) -> None:
    good = issue(authority, tmp_path)
    other, empty = tmp_path / "other.pem", tmp_path / "empty.pem"
    trustme.CA().issue_cert("127.0.0.1").private_key_pem.write_to_path(other)
    empty.touch()
    faults = [
        ({"tls_key": other}, "tls_key: .*other.pem is not the key of .*certificate.pem"),
        ({"tls_key": empty}, "tls_key: .*empty.pem cannot be read"),
        ({"tls_key": None}, "tls_key: TLS needs tls_certificate and tls_key"),
        ({"tls_key": tmp_path / "no"}, "tls_key: .*/no cannot be read .No such file"),
        ({"tls_certificate": tmp_path / "no"}, "tls_certificate: .*/no cannot be read"),
        ({"tls_certificate": empty}, "tls_certificate: .*empty.pem has no certificate"),
        ({"tls_key_password_file": tmp_path / "no"}, "tls_key_password_file: .*cannot be read"),
    ]
    for fault, message in faults:
        with pytest.raises(SettingsError, match=message) as caught:
            load_tls(good.model_copy(update=fault))
        assert "\n" not in str(caught.value)


def test_up_serves_tls_and_warns_only_without_it(
    server: ServerAddress, graph: Graph, authority: trustme.CA, tmp_path: Path
) -> None:
    graph.query(
        "CREATE (:Token {name: 'x', hash: 'x', read: [], write: [], operate: [], "
        "created_at: datetime()})",
        write=True,
    )
    settings = issue(authority, tmp_path)
    files = {
        "LINEAGEGRAPH_TLS_CERTIFICATE": str(settings.tls_certificate),
        "LINEAGEGRAPH_TLS_KEY": str(settings.tls_key),
    }
    for own, scheme in ((files, "https"), ({}, "http")):
        lineagegraph = Commands(tmp_path, shared(server, tmp_path / "home") | own)
        up = lineagegraph.start("up", "--host", "0.0.0.0", "--only", "http")
        assert up.stdout is not None
        address = up.stdout.readline().split()[-1].replace("0.0.0.0", "127.0.0.1")
        assert address.startswith(f"{scheme}://")
        assert is_answered(address, authority)
        up.send_signal(signal.SIGINT)
        warned = up.communicate(timeout=30)[1].count("without TLS")
        assert warned == (scheme == "http")
