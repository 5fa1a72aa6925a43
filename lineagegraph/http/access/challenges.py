"""Refusals of what a request is sent with, and how to send something better."""

from lineagegraph.http.plumbing.refusal import RequestRefused

_REALM = 'Bearer realm="lineagegraph"'


def no_token() -> RequestRefused:
    """Return the refusal of a request without token and session."""
    message = "no token: send one in the header, as Authorization: Bearer TOKEN"
    return RequestRefused(401, message, headers={"WWW-Authenticate": _REALM})


def no_token_behind(header: str) -> RequestRefused:
    """Return the refusal of a request without a token that a proxy passed on to loopback."""
    message = (
        f"no token: the header {header} shows that a proxy passed this request on, so it needs "
        "one, as Authorization: Bearer TOKEN; make it with `lineagegraph token add`"
    )
    return RequestRefused(401, message, headers={"WWW-Authenticate": _REALM})


def invalid(message: str, description: str = "") -> RequestRefused:
    """Return the refusal of a token; the description is for programs, without quotes."""
    challenge = f'{_REALM}, error="invalid_token"'
    if description:
        challenge += f', error_description="{description}"'
    return RequestRefused(401, message, headers={"WWW-Authenticate": challenge})


UNKNOWN = "unknown or revoked token"
EXPIRED = "the token expired"
ENDED = "the session is over: log in again"
