"""Tokens of a login provider are admitted with the roles of their groups, and no others are."""

import hmac
import json
import socket
from base64 import urlsafe_b64encode
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from time import time

import httpx2 as httpx
import pytest
from joserfc.jwk import ECKey, OctKey, OKPKey, RSAKey

from lineagegraph.errors import SettingsError
from lineagegraph.http.access.oidc.login import load_login
from lineagegraph.settings import Settings
from tests.acceptance.login.conftest import AUDIENCE, RunningProvider, Serve

JOBS = "/api/v1/jobs"


def sent(client: httpx.Client, token: str, path: str = JOBS) -> httpx.Response:
    return client.get(path, headers={"Authorization": f"Bearer {token}"})


def test_users_have_the_roles_of_their_groups(provider: RunningProvider, serve: Serve) -> None:
    client = serve(provider.issuer)
    assert sent(client, provider.sign()).status_code == 200
    assert sent(client, provider.sign(aud=["other", AUDIENCE])).status_code == 200
    stranger = sent(client, provider.sign(groups=["sales"]))
    assert stranger.status_code == 403
    assert stranger.json()["error"] == "user 'ann' has no role 'read' on all namespaces (*)"
    own = {"Authorization": f"Bearer {provider.sign()}"}
    bank = client.put("/api/v1/namespaces/bank", json={"ownerName": "a"}, headers=own)
    shop = client.put("/api/v1/namespaces/shop", json={"ownerName": "a"}, headers=own)
    assert (bank.status_code, shop.status_code) == (403, 200)


def test_what_does_not_count_is_refused_with_the_reason(
    provider: RunningProvider, serve: Serve
) -> None:
    client = serve(provider.issuer)
    now = int(time())
    strange = RSAKey.generate_key(2048, {"kid": provider.key.kid})
    faults = {
        provider.sign(exp=now - 60): "expired",
        provider.sign(exp=None): "lacks exp",
        provider.sign(nbf=now + 60): "not valid yet",
        provider.sign(aud="other"): "oidc_audience",
        provider.sign(aud=None): "lacks aud",
        provider.sign(iss="http://localhost:1"): "oidc_issuer",
        provider.sign(sub=None): "lacks sub",
        provider.sign(strange): "not signed with a key",
        provider.sign(header={"kid": "unknown"}): "not signed with a key",
        confused(provider): "'HS256'",
        unsigned(provider): "'none'",
        provider.sign() + "x": "not signed",
        "a.b.c": "no JWT",
        "..": "no JWT",
    }
    for token, reason in faults.items():
        refused = sent(client, token)
        assert refused.status_code == 401, reason
        assert reason in refused.json()["error"]
        assert 'error="invalid_token"' in refused.headers["WWW-Authenticate"]
    # Clocks may differ a little.
    assert sent(client, provider.sign(exp=now - 10, nbf=now + 10)).status_code == 200


def confused(provider: RunningProvider) -> str:
    """A token whose shared secret is the public key, which everybody knows."""
    claims = provider.sign().split(".")[1]
    header = encoded(json.dumps({"alg": "HS256", "kid": provider.key.kid}).encode())
    secret = provider.key.as_pem(private=False)
    return f"{header}.{claims}." + encoded(
        hmac.digest(secret, f"{header}.{claims}".encode(), "sha256")
    )


def encoded(text: bytes) -> str:
    return urlsafe_b64encode(text).decode().rstrip("=")


def unsigned(provider: RunningProvider) -> str:
    claims = provider.sign().split(".")[1]
    return encoded(b'{"alg": "none"}') + f".{claims}."


def test_a_new_key_is_found_and_the_old_one_counts_no_more(
    provider: RunningProvider, serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("lineagegraph.http.access.oidc.provider._AGAIN_SECONDS", 0.0)
    client = serve(provider.issuer)
    old = provider.sign()
    assert sent(client, old).status_code == 200
    provider.rotate()
    assert sent(client, provider.sign()).status_code == 200
    assert sent(client, old).status_code == 401


def test_two_requests_at_once_with_a_new_key_both_count(
    provider: RunningProvider, serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("lineagegraph.http.access.oidc.provider._AGAIN_SECONDS", 0.0)
    client = serve(provider.issuer)
    assert sent(client, provider.sign()).status_code == 200
    provider.rotate()
    token = provider.sign()
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda _: sent(client, token).status_code, range(8)))
    assert set(found) == {200}


def test_without_the_provider_known_keys_count_and_own_tokens_work(serve: Serve) -> None:
    with socket.create_server(("127.0.0.1", 0)) as unused:
        gone = f"http://127.0.0.1:{unused.getsockname()[1]}"
    client = serve(gone)
    key = RSAKey.generate_key(2048, {"kid": "k"})
    from_gone = RunningProvider.__new__(RunningProvider)
    from_gone.issuer = gone
    for _ in range(2):
        away = sent(client, from_gone.sign(key))
        assert away.status_code == 503
        assert "the login provider cannot be asked" in away.json()["error"]
        assert away.headers["Retry-After"] == "5"
    assert client.get("/login/oidc").status_code == 503
    assert sent(client, "lg_unknown").status_code == 401


class Small(BaseHTTPRequestHandler):
    """A provider with keys of other kinds."""

    keys: tuple[dict[str, object], ...] = ()

    def do_GET(self) -> None:
        host = f"http://127.0.0.1:{self.server.server_address[1]}"
        names = ("authorization_endpoint", "token_endpoint", "jwks_uri")
        known = {"issuer": host} | dict.fromkeys(names, f"{host}/keys")
        body = json.dumps(known if "well-known" in self.path else {"keys": self.keys}).encode()
        self.send_response(200)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        return


@pytest.fixture
def small() -> Iterator[ThreadingHTTPServer]:
    with ThreadingHTTPServer(("127.0.0.1", 0), Small) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield server
        server.shutdown()


def test_elliptic_keys_count_and_cached_keys_outlast_the_provider(
    small: ThreadingHTTPServer, serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    keys = {
        "ES256": ECKey.generate_key("P-256", {"kid": "es"}),
        "EdDSA": OKPKey.generate_key("Ed25519", {"kid": "ed"}),
    }
    secret = OctKey.generate_key(256, {"kid": "secret"})
    public = tuple(key.as_dict(private=False) for key in keys.values())
    Small.keys = (*public, secret.as_dict(private=True), {"kty": "unknown"})
    issuing = RunningProvider.__new__(RunningProvider)
    issuing.issuer = f"http://127.0.0.1:{small.server_address[1]}"
    client = serve(issuing.issuer)
    tokens = [issuing.sign(key, {"alg": name}) for name, key in keys.items()]
    assert {sent(client, token).status_code for token in tokens} == {200}
    small.shutdown()
    small.server_close()
    # Now each request asks the provider again, in vain.
    for name in ("_FRESH_SECONDS", "_AGAIN_SECONDS"):
        monkeypatch.setattr(f"lineagegraph.http.access.oidc.provider.{name}", 0.0)
    assert {sent(client, token).status_code for token in tokens} == {200}
    unknown = issuing.sign(ECKey.generate_key("P-256", {"kid": "new"}), {"alg": "ES256"})
    assert sent(client, unknown).status_code == 503
    monkeypatch.setattr("lineagegraph.http.access.oidc.provider._KEPT_SECONDS", 0.0)
    assert {sent(client, token).status_code for token in tokens} == {503}


@pytest.mark.parametrize(
    ("own", "message"),
    [
        ({"oidc_audience": "a"}, "oidc_issuer: name the provider"),
        ({"oidc_issuer": "https://a"}, "oidc_issuer: set oidc_audience"),
        ({"oidc_issuer": "http://a", "oidc_audience": "a"}, "not an https:// address"),
        ({"oidc_roles": {"x": ("read",)}}, "oidc_roles.x: 'read' is not ROLE:NAMESPACE"),
        ({"oidc_roles": {"x": ("own:*",)}}, "oidc_roles.x: 'own:.' is not ROLE:NAMESPACE"),
    ],
)
def test_faults_of_the_settings_are_named(own: dict[str, object], message: str) -> None:
    known = {"oidc_issuer": "https://a", "oidc_audience": "a"} if "oidc_roles" in own else {}
    with pytest.raises(SettingsError, match=message) as caught:
        load_login(Settings(**known, **own))
    assert "\n" not in str(caught.value)


def test_a_user_makes_nothing_be_poked_that_the_settings_do_not_name(
    provider: RunningProvider, serve: Serve
) -> None:
    client = serve(provider.issuer, oidc_roles={"engineers": ("read:*", "operate:shop")})
    own = {"Authorization": f"Bearer {provider.sign()}"}
    body = {"kind": "file", "fields": {"path": "/etc/shadow"}, "namespace": "shop"}
    refused = client.post("/api/v1/sensors/waits", json=body, headers=own)
    assert (refused.status_code, "setting sensor_roots" in refused.json()["error"]) == (400, True)
