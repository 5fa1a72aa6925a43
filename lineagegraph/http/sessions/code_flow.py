"""The authorization code flow of OpenID Connect, with PKCE, state and nonce."""

import hmac
import secrets
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Mapping
from hashlib import sha256
from typing import NamedTuple, Self
from urllib.parse import quote, urlencode

import msgspec

from lineagegraph.admin.sessions import User
from lineagegraph.http.access.oidc.claims import ClaimsRefused
from lineagegraph.http.access.oidc.login import Login
from lineagegraph.http.access.oidc.provider import ProviderAway
from lineagegraph.http.plumbing.refusal import RequestRefused
from lineagegraph.model.typed import decode_json
from lineagegraph.settings import Settings

_BYTES = 32
_LONGEST = 2_000
_AGAIN = "begin again at /login/oidc"


class _Tokens(msgspec.Struct):
    id_token: str


class Attempt(NamedTuple):
    """A login that began: a secret of the browser's, and the path that it leads to."""

    secret: str
    target: str

    @classmethod
    def begin(cls, target: str) -> Self:
        """Return a new attempt; raise `RequestRefused` if the target is of another site."""
        if not _is_local(target):
            raise RequestRefused(400, "next must be a path of this server, such as /", "next")
        return cls(secrets.token_urlsafe(_BYTES), target)

    @classmethod
    def from_cookie(cls, value: str) -> Self | None:
        """Return the attempt of a cookie, if it is one."""
        secret, _, target = value.partition(".")
        try:
            path = urlsafe_b64decode(target).decode()
        except ValueError:
            return None
        return cls(secret, path) if secret and _is_local(path) else None

    @property
    def cookie(self) -> str:
        """The cookie, from which no other value of the attempt can be guessed."""
        return f"{self.secret}.{urlsafe_b64encode(self.target.encode()).decode()}"

    @property
    def state(self) -> str:
        """The value that the provider sends back."""
        return self._derive("state")

    @property
    def nonce(self) -> str:
        """The value that the provider signs."""
        return self._derive("nonce")

    @property
    def verifier(self) -> str:
        """The value whose hash the provider has seen (PKCE)."""
        return self._derive("verifier")

    def _derive(self, use: str) -> str:
        return hmac.new(self.secret.encode(), use.encode(), sha256).hexdigest()


class CodeFlow:
    """Leads a browser to the provider, and takes it back with a code."""

    def __init__(self, login: Login, settings: Settings) -> None:
        self._login = login
        secret = settings.oidc_client_secret
        self._secret = secret.get_secret_value() if secret else None
        self._scope = settings.oidc_scope

    def address(self, attempt: Attempt, back: str) -> str:
        """Return the provider's address for an attempt; `back` is that of the callback."""
        challenge = urlsafe_b64encode(sha256(attempt.verifier.encode()).digest()).rstrip(b"=")
        query = {
            "response_type": "code",
            "client_id": self._login.client_id,
            "redirect_uri": back,
            "scope": self._scope,
            "state": attempt.state,
            "nonce": attempt.nonce,
            "code_challenge": challenge.decode(),
            "code_challenge_method": "S256",
        }
        endpoint = self._login.provider.metadata().authorization_endpoint
        return f"{endpoint}{'&' if '?' in endpoint else '?'}{urlencode(query)}"

    def finish(self, attempt: Attempt | None, query: Mapping[str, str], back: str) -> User:
        """Return the user with whom the provider sends the browser back.

        Raise `RequestRefused` if it is not the attempt of this browser, or the provider refuses.
        """
        state = query.get("state", "").encode()
        if attempt is None or not hmac.compare_digest(state, attempt.state.encode()):
            raise RequestRefused(
                400, f"this login did not begin in this browser, or took too long: {_AGAIN}"
            )
        if "error" in query:
            said = query.get("error_description") or query["error"]
            raise RequestRefused(403, f"the login provider refuses: {said[:200]}")
        id_token = self._exchange(query.get("code", ""), attempt, back)
        try:
            return self._login.admit_login(id_token, attempt.nonce).user
        except ClaimsRefused as error:
            raise RequestRefused(403, f"{error}: {_AGAIN}") from None

    def _exchange(self, code: str, attempt: Attempt, back: str) -> bytes:
        client = self._login.client_id or ""
        form = {
            "grant_type": "authorization_code",
            "code": code[:_LONGEST],
            "redirect_uri": back,
            "client_id": client,
            "code_verifier": attempt.verifier,
        }
        own = {"auth": (quote(client), quote(self._secret))} if self._secret else {}
        endpoint = self._login.provider.metadata().token_endpoint
        body = self._login.provider.fetch("POST", endpoint, data=form, **own)
        try:
            return decode_json(body, into=_Tokens).id_token.encode()
        except msgspec.DecodeError:
            raise ProviderAway(f"{endpoint} answers without an id_token") from None


def _is_local(path: str) -> bool:
    """Return whether a path leads to this server: browsers read `\\` as `/`, and `//` as a host."""
    is_path = path.startswith("/") and path[1:2] not in ("/", "\\")
    return is_path and path.isprintable() and len(path) <= _LONGEST
