"""A real login provider on loopback, and servers that trust it."""

from base64 import urlsafe_b64encode
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from hashlib import sha256
from pathlib import Path
from time import time
from typing import Any

import flask
import httpx2 as httpx
import pytest
from joserfc import jwt
from joserfc.jwk import RSAKey
from oidc_provider_mock import User, run_server_in_thread
from pydantic import SecretStr

from lineagegraph.graph import Graph
from lineagegraph.http import HttpServer, bind, make_application
from lineagegraph.settings import Settings

AUDIENCE, CLIENT = "lineagegraph-api", "lineagegraph-page"
Serve = Callable[..., httpx.Client]


class RunningProvider:
    """The provider, and tokens as it signs them."""

    def __init__(self, app: flask.Flask, port: int) -> None:
        with app.test_request_context("/"):
            app.preprocess_request()
            self._storage = flask.g.oidc_provider_mock_storage
        self.issuer = f"http://localhost:{port}"
        self._challenges: set[str] = set()
        app.before_request_funcs.setdefault(None, []).append(self._demand_proof)

    @property
    def key(self) -> RSAKey:
        """The private key that it signs with."""
        return RSAKey.import_key(self._storage.jwk.as_dict(is_private=True))

    def _demand_proof(self) -> tuple[str, int] | None:
        """Check PKCE, which the provider leaves out."""
        if "code_challenge" in flask.request.args:
            self._challenges.add(flask.request.args["code_challenge"])
        if flask.request.path != "/oauth2/token":
            return None
        proof = sha256(flask.request.form["code_verifier"].encode()).digest()
        is_known = urlsafe_b64encode(proof).decode().rstrip("=") in self._challenges
        return None if is_known else ("wrong verifier", 400)

    def rotate(self) -> None:
        """Sign with another key from now on."""
        self._storage.jwk = type(self._storage.jwk).generate_key(is_private=True)

    def sign(self, key: Any = None, header: dict[str, Any] | None = None, **claims: Any) -> str:
        """Return a token of the provider for ann, with other claims where they are given."""
        key = key or self.key
        now = int(time())
        stated = {
            "iss": self.issuer,
            "aud": AUDIENCE,
            "sub": "ann",
            "exp": now + 300,
            "iat": now,
            "groups": ["engineers", "all"],
        }
        stated = {name: value for name, value in (stated | claims).items() if value is not None}
        full = {"alg": "RS256", "kid": key.kid} | (header or {})
        return jwt.encode(full, stated, key, [full["alg"]])


@pytest.fixture
def provider(monkeypatch: pytest.MonkeyPatch) -> Iterator[RunningProvider]:
    monkeypatch.setenv("AUTHLIB_INSECURE_TRANSPORT", "1")
    users = [User(sub="ann", claims={"groups": ["engineers"]}), User(sub="bob", claims={})]
    with run_server_in_thread(user_claims=users) as server:
        yield RunningProvider(server.app, server.server_port)


@pytest.fixture
def serve(graph: Graph, settings: Settings, tmp_path: Path) -> Iterator[Serve]:
    """Serve as on an address of the network, and give a client without a token."""
    with ExitStack() as open_until_the_end:

        def start(issuer: str | None = None, **own: Any) -> httpx.Client:
            login = {
                "oidc_issuer": issuer,
                "oidc_audience": AUDIENCE,
                "oidc_client_id": CLIENT,
                "oidc_client_secret": SecretStr("any"),
                "oidc_roles": {"engineers": ("read:*", "write:shop")},
            }
            update = {"home": tmp_path, "host": "0.0.0.0", **(login if issuer else {}), **own}
            application = make_application(graph, settings.model_copy(update=update))
            server = HttpServer(application, bind("127.0.0.1", 0))
            server.start()
            open_until_the_end.callback(server.stop)
            return open_until_the_end.enter_context(httpx.Client(base_url=server.url, timeout=30))

        yield start
