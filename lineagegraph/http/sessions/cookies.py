"""Cookies of sessions and logins."""

from typing import Literal

from starlette.requests import Request
from starlette.responses import Response

from lineagegraph.http.access.credentials import cookie_name, is_over_tls, session_cookie


def set_session(request: Request, answer: Response, cookie: str) -> None:
    """Give the browser the cookie of a session: only this site's pages send it."""
    _set(request, answer, session_cookie(request), cookie, "strict")


def drop_session(request: Request, answer: Response) -> None:
    """Take the cookie of a session away."""
    _drop(request, answer, session_cookie(request), "strict")


def set_login(request: Request, answer: Response, value: str, seconds: int) -> None:
    """Give the browser the cookie of a login that begins.

    The provider's page leads back with it, which a strict one would not allow.
    """
    _set(request, answer, cookie_name(request, "login"), value, "lax", seconds)


def drop_login(request: Request, answer: Response) -> None:
    """Take the cookie of a login away."""
    _drop(request, answer, cookie_name(request, "login"), "lax")


def read_login(request: Request) -> str | None:
    """Return the cookie of a login that began."""
    return request.cookies.get(cookie_name(request, "login"))


def _set(
    request: Request,
    answer: Response,
    name: str,
    value: str,
    site: Literal["lax", "strict"],
    seconds: int | None = None,
) -> None:
    secure = is_over_tls(request)
    answer.set_cookie(
        name, value, max_age=seconds, path="/", secure=secure, httponly=True, samesite=site
    )


def _drop(request: Request, answer: Response, name: str, site: Literal["lax", "strict"]) -> None:
    secure = is_over_tls(request)
    answer.delete_cookie(name, path="/", secure=secure, httponly=True, samesite=site)
