"""The routes of sessions: begin one with a token or a login, read it, and end it."""

from collections.abc import Callable
from datetime import datetime
from functools import partial
from html import escape
from typing import Annotated, Literal, NamedTuple

from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from lineagegraph.http.access.challenges import no_token
from lineagegraph.http.access.credentials import Identity, session_cookie
from lineagegraph.http.access.known_sessions import KnownSessions, csrf_token
from lineagegraph.http.access.oidc.login import Login
from lineagegraph.http.access.oidc.provider import ProviderAway
from lineagegraph.http.plumbing.answers import AnswerStruct, Timestamp, about
from lineagegraph.http.plumbing.operations import (
    ApiParameter,
    Header,
    Operation,
    Reply,
    delete,
    error_reply,
    get,
    post,
    routes_of,
    tagged,
)
from lineagegraph.http.plumbing.raw_route import RawRoute
from lineagegraph.http.plumbing.reads import answer
from lineagegraph.http.plumbing.refusal import RequestRefused
from lineagegraph.http.sessions.code_flow import Attempt, CodeFlow
from lineagegraph.http.sessions.cookies import (
    drop_login,
    drop_session,
    read_login,
    set_login,
    set_session,
)
from lineagegraph.model.access import Caller, Role
from lineagegraph.settings import Settings

_LOGIN_SECONDS = 600
# A redirect would count as the other site's, and go without the new cookie.
_PAGE = (
    '<!doctype html><html lang="en"><meta charset="utf-8">'
    '<meta http-equiv="refresh" content="0;url={target}"><title>Logged in</title>'
    '<p>Logged in. <a href="{target}">Continue</a></html>'
)
_PRIVATE = {"Cache-Control": "no-store", "Referrer-Policy": "no-referrer"}


class RolesAnswer(AnswerStruct):
    """The namespaces that each role covers; * is every namespace."""

    read: list[str]
    write: list[str]
    operate: list[str]
    admin: list[str]


class SessionAnswer(AnswerStruct):
    """A session of a browser."""

    kind: Annotated[Literal["token", "user"], about("Of a token, or of a provider's user.")]
    name: Annotated[str, about("The name of the token or user.")]
    roles: Annotated[RolesAnswer, about("The rights that the token or user has now.")]
    csrf_token: Annotated[str, about("To be sent with changes, in the header X-CSRF-Token.")]
    expires_at: Annotated[Timestamp, about("When it ends, however it is used.")]


_COOKIE = {"Set-Cookie": Header({"type": "string"}, "The session, for this browser.")}
_NO_SESSION = error_reply(404, "NoSession", "The request has no session.")
_NO_LOGIN = error_reply(404, "NoLogin", "The settings name no login provider.")
_SESSION: tuple[Operation, ...] = (
    get(
        "/api/v1/session",
        "getSession",
        "The session of this browser, and its rights.",
        Reply("The session.", SessionAnswer),
        also=(_NO_SESSION,),
    ),
    post(
        "/api/v1/session",
        "postSession",
        "Exchange the token of the request for a session, which a cookie carries.",
        Reply("The session.", SessionAnswer, 201, headers=_COOKIE),
    ),
    delete(
        "/api/v1/session",
        "deleteSession",
        "End the session of this browser, on all servers.",
        Reply("It is over.", status=204),
        also=(_NO_SESSION,),
    ),
)
_LOGIN: tuple[Operation, ...] = (
    get(
        "/login/oidc",
        "getLogin",
        "Lead a browser to the login provider.",
        Reply("To the provider.", None, 303, headers={"Location": Header({"type": "string"})}),
        ApiParameter("next", str, "/", "Path of this server to go to afterwards.", default="/"),
        also=(_NO_LOGIN,),
    ),
    get(
        "/login/oidc/callback",
        "getLoginCallback",
        "Take a browser back from the login provider, and begin its session.",
        Reply("A page that leads on.", texts=("text/html",)),
        ApiParameter("state", str, "5e1f", "The value that the login began with."),
        ApiParameter("code", str, "c0de", "The code that is exchanged for the user."),
        ApiParameter("error", str, "access_denied", "Why the provider refuses."),
        also=(
            error_reply(403, "LoginRefused", "The provider refuses, or its answer does not count."),
            _NO_LOGIN,
        ),
        takes_any=True,  # Providers add `iss`, `session_state`, `scope` and others.
    ),
)
OPERATIONS = tagged("sessions", *_SESSION, *_LOGIN)


class _Served(NamedTuple):
    """The sessions, and the flow of a login with the address that it comes back to."""

    sessions: KnownSessions
    flow: CodeFlow | None
    back: str | None


def session_routes(
    sessions: KnownSessions, login: Login | None, settings: Settings
) -> list[RawRoute]:
    """Return the routes."""
    flow = CodeFlow(login, settings) if login and login.client_id else None
    served = _Served(sessions, flow, settings.oidc_redirect_url)
    endpoints: dict[str, Callable[[Request], Response]] = {
        "getSession": _get,
        "postSession": partial(_post, served),
        "deleteSession": partial(_delete, served),
        "getLogin": partial(_begin, served),
        "getLoginCallback": partial(_finish, served),
    }
    return routes_of(OPERATIONS, endpoints)


def _get(request: Request) -> Response:
    session = _identity(request).session
    if session is None:
        raise _without()
    cookie = request.cookies[session_cookie(request)]
    return _private(answer(_shown(session.caller, cookie, session.ends_at)))


def _post(served: _Served, request: Request) -> Response:
    identity = _identity(request)
    if identity.token is None:
        raise no_token()
    if identity.user:
        cookie, session = served.sessions.add(user=identity.user, until=identity.until)
    else:
        cookie, session = served.sessions.add(token=identity.token)
    made = _private(answer(_shown(session.caller, cookie, session.ends_at), 201))
    set_session(request, made, cookie)
    return made


def _delete(served: _Served, request: Request) -> Response:
    session = _identity(request).session
    if session is None:
        raise _without()
    served.sessions.end(session.hash)
    gone = Response(status_code=204)
    drop_session(request, gone)
    return gone


def _begin(served: _Served, request: Request) -> Response:
    flow = _flow(served)
    attempt = Attempt.begin(request.query_params.get("next", "/"))
    try:
        address = flow.address(attempt, _back(served, request))
    except ProviderAway as error:
        raise _away(error) from None
    redirect = _private(RedirectResponse(address, 303))
    set_login(request, redirect, attempt.cookie, _LOGIN_SECONDS)
    return redirect


def _finish(served: _Served, request: Request) -> Response:
    flow = _flow(served)
    cookie = read_login(request)
    attempt = Attempt.from_cookie(cookie) if cookie else None
    try:
        user = flow.finish(attempt, request.query_params, _back(served, request))
    except ProviderAway as error:
        raise _away(error) from None
    assert attempt is not None
    secret, _ = served.sessions.add(user=user)
    page = _private(HTMLResponse(_PAGE.format(target=escape(attempt.target))))
    page.headers["Content-Security-Policy"] = "default-src 'none'; frame-ancestors 'none'"
    set_session(request, page, secret)
    drop_login(request, page)
    return page


def _flow(served: _Served) -> CodeFlow:
    if served.flow is None:
        raise RequestRefused(404, "no login here: set oidc_issuer and oidc_client_id")
    return served.flow


def _back(served: _Served, request: Request) -> str:
    return served.back or f"{request.url.scheme}://{request.url.netloc}/login/oidc/callback"


def _identity(request: Request) -> Identity:
    found: Identity = request.state.identity
    return found


def _shown(caller: Caller, cookie: str, ends_at: datetime) -> SessionAnswer:
    covers = {role.value: sorted(caller.covers[role]) for role in Role}
    return SessionAnswer(
        "user" if caller.user else "token",
        caller.user or caller.token or "",
        RolesAnswer(**covers),
        csrf_token(cookie),
        ends_at,
    )


def _private(made: Response) -> Response:
    made.headers.update(_PRIVATE)
    return made


def _without() -> RequestRefused:
    return RequestRefused(404, "no session: POST /api/v1/session with a token begins one")


def _away(error: ProviderAway) -> RequestRefused:
    return RequestRefused(503, str(error), retry_after=5)
