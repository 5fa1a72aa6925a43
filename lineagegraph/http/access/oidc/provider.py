"""An OpenID Connect provider: its addresses and keys, by discovery."""

import time
from collections.abc import Iterable, Mapping
from threading import Lock
from typing import Any
from urllib.parse import urlsplit

import httpx2 as httpx
import msgspec
import structlog
from joserfc.errors import JoseError
from joserfc.jwk import ECKey, OKPKey, RSAKey, import_key

from lineagegraph.errors import LineagegraphError
from lineagegraph.model.typed import decode_json

log = structlog.get_logger()
_WAIT_SECONDS = 5.0
_FRESH_SECONDS = 600.0
_AGAIN_SECONDS = 5.0
# Keys are not trusted for ever: the provider may have withdrawn one.
_KEPT_SECONDS = 86_400.0
_MOST_BYTES = 1_000_000
_LOOPBACK = ("127.0.0.1", "localhost", "::1")
PublicKey = RSAKey | ECKey | OKPKey


class ProviderAway(LineagegraphError):
    """The provider does not answer as it should."""


class Metadata(msgspec.Struct, frozen=True):
    """The part of a provider's discovery document that is used here."""

    issuer: str
    authorization_endpoint: str
    token_endpoint: str
    jwks_uri: str


class _KeySet(msgspec.Struct, frozen=True):
    """The provider's keys, as JSON Web Keys."""

    keys: list[Any] = []


class Provider:
    """A provider by its issuer; its keys are read again every ten minutes, and for unknown ones.

    While it is away, the keys that it had stay in use for a day.
    """

    def __init__(self, issuer: str) -> None:
        self.issuer = issuer
        self._lock = Lock()
        self._metadata: Metadata | None = None
        self._keys: tuple[PublicKey, ...] | None = None
        self._read_at = self._tried_at = float("-inf")
        self._fault: str | None = None

    def metadata(self) -> Metadata:
        """Return the provider's addresses; raise `ProviderAway` if they cannot be read."""
        if self._metadata is None:
            self._refresh(waits=True)
        if self._metadata is None:
            raise self._away()
        return self._metadata

    def keys(self, kid: str | None) -> tuple[PublicKey, ...]:
        """Return the keys with an id, or all if there is no id; raise `ProviderAway`."""
        if not self._with_id(kid):
            self._refresh(waits=True)
        elif self._age() >= _FRESH_SECONDS:
            self._refresh(waits=False)
        if self._keys is None or self._age() >= _KEPT_SECONDS:
            raise self._away()
        found = self._with_id(kid)
        if not found and self._fault:
            raise self._away()
        return found

    def fetch(self, method: str, url: str, **more: Any) -> bytes:
        """Return a body from the provider; raise `ProviderAway` unless it is a success."""
        try:
            with (
                httpx.Client(timeout=_WAIT_SECONDS, follow_redirects=False) as client,
                client.stream(method, url, **more) as answer,
            ):
                body = _read(answer)
        except (httpx.HTTPError, httpx.InvalidURL, OSError) as error:
            raise ProviderAway(f"{url} does not answer ({error or type(error).__name__})") from None
        if answer.status_code != 200:
            raise ProviderAway(f"{url} answers {answer.status_code}")
        return body

    def _with_id(self, kid: str | None) -> tuple[PublicKey, ...]:
        return tuple(key for key in self._keys or () if kid is None or key.kid == kid)

    def _age(self) -> float:
        return time.monotonic() - self._read_at

    def _refresh(self, *, waits: bool) -> None:
        # With its key at hand no other request waits for the provider.
        if not self._lock.acquire(blocking=waits):
            return
        try:
            if time.monotonic() - self._tried_at < _AGAIN_SECONDS:
                return
            try:
                self._read()
            finally:
                self._tried_at = time.monotonic()
        finally:
            self._lock.release()

    def _read(self) -> None:
        try:
            self._metadata = self._discover()
            body = self.fetch("GET", self._metadata.jwks_uri)
            self._keys = tuple(_import(decode_json(body, into=_KeySet).keys))
        except (ProviderAway, msgspec.DecodeError) as error:
            self._fault = str(error)
            log.warning("login_provider_away", issuer=self.issuer, error=self._fault)
            return
        self._read_at, self._fault = time.monotonic(), None

    def _discover(self) -> Metadata:
        url = self.issuer.rstrip("/") + "/.well-known/openid-configuration"
        found = decode_json(self.fetch("GET", url), into=Metadata)
        if found.issuer != self.issuer:
            raise ProviderAway(f"{url} is of the issuer {found.issuer!r}, not {self.issuer!r}")
        for address in (found.authorization_endpoint, found.token_endpoint, found.jwks_uri):
            if not is_safe(address):
                raise ProviderAway(f"{url} names {address!r}, which is not https")
        return found

    def _away(self) -> ProviderAway:
        fault = self._fault or "its keys are being read"
        return ProviderAway(
            f"the login provider cannot be asked: {fault}; check it and the setting oidc_issuer, "
            "or use a token of `lineagegraph token add`"
        )


def is_safe(url: str) -> bool:
    """Return whether an address is https, or leads to this machine."""
    parts = urlsplit(url)
    return parts.scheme == "https" or (parts.scheme == "http" and parts.hostname in _LOOPBACK)


def _read(answer: httpx.Response) -> bytes:
    body = b""
    for chunk in answer.iter_bytes():
        body += chunk
        if len(body) > _MOST_BYTES:
            raise ProviderAway(f"{answer.url} answers more than {_MOST_BYTES} bytes")
    return body


def _import(stated: Iterable[Mapping[str, Any]]) -> Iterable[PublicKey]:
    """Return the public keys for signatures; others, such as shared secrets, are left out."""
    for one in stated:
        try:
            key = import_key(dict(one)) if one.get("use", "sig") == "sig" else None
        except (JoseError, ValueError, TypeError, AttributeError):
            continue
        if isinstance(key, RSAKey | ECKey | OKPKey) and not key.is_private:
            yield key
