"""Signed claims (JWT) of a provider, checked."""

import warnings
from base64 import urlsafe_b64decode
from collections.abc import Mapping
from typing import Any, NamedTuple

import msgspec
from joserfc import jwt
from joserfc.errors import (
    ClaimError,
    ExpiredTokenError,
    InvalidClaimError,
    JoseError,
    SecurityWarning,
)
from joserfc.jws import JWSRegistry

from lineagegraph.errors import LineagegraphError
from lineagegraph.http.access.challenges import EXPIRED
from lineagegraph.http.access.oidc.provider import Provider, PublicKey
from lineagegraph.model.typed import decode_json

# Never `none`, and never those with a shared secret (HS256): a public key would be one.
_ALGORITHMS = {
    **dict.fromkeys(("RS256", "RS384", "RS512", "PS256", "PS384", "PS512"), "RSA"),
    **dict.fromkeys(("ES256", "ES384", "ES512"), "EC"),
    **dict.fromkeys(("EdDSA", "Ed25519", "Ed448"), "OKP"),
}
# The name EdDSA has got a successor, Ed25519, which hardly any provider uses yet.
warnings.filterwarnings("ignore", "EdDSA is deprecated", SecurityWarning)
_REGISTRY = JWSRegistry(algorithms=list(_ALGORITHMS))
_LEEWAY_SECONDS = 30
_LONGEST = 16_000


class ClaimsRefused(LineagegraphError):
    """Claims are not signed by the provider, are out of date, or for somebody else."""


class _JoseHeader(msgspec.Struct):
    alg: str
    kid: str | None = None


class Expected(NamedTuple):
    """The setting that names the audience, and its value."""

    setting: str
    audience: str


def read_claims(provider: Provider, text: bytes, expected: Expected) -> Mapping[str, Any]:
    """Return claims after all checks; raise `ClaimsRefused` or `ProviderAway`."""
    if len(text) > _LONGEST:
        raise ClaimsRefused(f"the token is longer than {_LONGEST} bytes")
    header = _header(text)
    kind = _ALGORITHMS.get(header.alg)
    if kind is None:
        raise ClaimsRefused(f"the token is signed with {header.alg[:20]!r}, which is not accepted")
    keys = [key for key in provider.keys(header.kid) if key.key_type == kind]
    claims = _verify(text, header.alg, keys)
    _check(claims, provider.issuer, expected)
    return claims


def _header(text: bytes) -> _JoseHeader:
    first = text.partition(b".")[0]
    try:
        return decode_json(urlsafe_b64decode(first + b"=="), into=_JoseHeader)
    except (msgspec.DecodeError, ValueError):
        raise ClaimsRefused("the token is no JWT") from None


def _verify(text: bytes, algorithm: str, keys: list[PublicKey]) -> Mapping[str, Any]:
    for key in keys:
        try:
            return jwt.decode(text, key, [algorithm], _REGISTRY).claims
        except (JoseError, ValueError):
            continue
    raise ClaimsRefused("the token is not signed with a key of the login provider")


def _check(claims: Mapping[str, Any], issuer: str, expected: Expected) -> None:
    registry = jwt.JWTClaimsRegistry(
        leeway=_LEEWAY_SECONDS,
        iss={"essential": True, "value": issuer},
        aud={"essential": True, "value": expected.audience},
        exp={"essential": True},
        sub={"essential": True},
    )
    try:
        registry.validate(dict(claims))
    except ExpiredTokenError:
        raise ClaimsRefused(EXPIRED) from None
    except InvalidClaimError as error:
        raise ClaimsRefused(_describe(error.claim, expected)) from None
    except ClaimError as error:
        raise ClaimsRefused(f"the token lacks {error.claim}") from None


def _describe(claim: str, expected: Expected) -> str:
    if claim == "aud":
        return f"the token is for another audience than the setting {expected.setting} names"
    if claim == "iss":
        return "the token is of another issuer than the setting oidc_issuer names"
    if claim == "nbf":
        return "the token is not valid yet"
    return f"the token has an invalid {claim}"
