"""The page at `/`, the reference at `/docs`, and the modules and styles that they load."""

from collections.abc import Callable
from functools import partial
from hashlib import sha256
from html import escape
from importlib.resources import files

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from lineagegraph.http.plumbing.refusal import RequestRefused
from lineagegraph.settings import Settings
from lineagegraph.views.frontend import frontend_folder, read_frontend, scoped_style

_HTML, _SCRIPT, _STYLE = "text/html", "text/javascript", "text/css"
_REFERENCE = {
    "swagger-ui-bundle.js": _SCRIPT,
    "swagger-ui.css": _STYLE,
    "reference.js": _SCRIPT,
}
_HEADERS = {
    # Only the page's own files, and no text as markup or code.
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; "
    "img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
}


def file_routes(settings: Settings) -> list[Route]:
    """Return the routes of the page and of its files."""
    return [
        Route("/", partial(_page, settings)),
        Route("/ui/styles/{view}.css", _view_style),
        Route("/ui/{file:path}", _file),
        Route("/docs", _reference),
        Route("/docs/{file}", _reference_file),
    ]


def _page(settings: Settings, request: Request) -> Response:
    text = read_frontend("page/page.html").replace("{zone}", escape(settings.zone))
    login = "/login/oidc" if settings.oidc_client_id else ""
    return _answer(request, text.replace("{login}", login), _HTML)


def _view_style(request: Request) -> Response:
    name = request.path_params["view"]
    return _answer(request, _read(lambda: scoped_style(name), f"{name}/{name}.css"), _STYLE)


def _file(request: Request) -> Response:
    name = request.path_params["file"]
    kind = {"js": _SCRIPT, "css": _STYLE}.get(name.rpartition(".")[2], "")
    return _answer(request, _read(lambda: read_frontend(name), name if kind else ""), kind)


def _reference(request: Request) -> Response:
    return _answer(request, _read_reference("reference.html"), _HTML)


def _reference_file(request: Request) -> Response:
    name = request.path_params["file"]
    if name not in _REFERENCE:
        raise RequestRefused(404, f"the reference has no file {name[:100]!r}")
    return _answer(request, _read_reference(name), _REFERENCE[name])


def _read_reference(name: str) -> str:
    return files("lineagegraph.http.reference").joinpath(name).read_text("utf-8")


def _read(read: Callable[[], str], name: str) -> str:
    """Return a text of the frontend, if there is a file of this name in its folder."""
    folder = frontend_folder().resolve()
    try:
        file = (folder / name).resolve()
        if not file.is_relative_to(folder) or not file.is_file():
            raise FileNotFoundError(name)
        return read()
    except (OSError, ValueError):
        raise RequestRefused(404, f"the page has no file {name[:100]!r}") from None


def _answer(request: Request, text: str, media_type: str) -> Response:
    tag = f'"{sha256(text.encode()).hexdigest()[:16]}"'
    headers = _HEADERS | {"ETag": tag, "Cache-Control": "no-cache"}
    if request.headers.get("if-none-match") == tag:
        return Response(status_code=304, headers=headers)
    return Response(text, media_type=media_type, headers=headers)
