"""The HTTP server and its API."""

from lineagegraph.http.application import make_application
from lineagegraph.http.server import HttpServer, bind, is_loopback, url_of

__all__ = ["HttpServer", "bind", "is_loopback", "make_application", "url_of"]
