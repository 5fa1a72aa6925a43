"""The HTTP server and its API."""

from lineagegraph.http.application import make_application
from lineagegraph.http.server import HttpServer, bind, is_loopback, url_of
from lineagegraph.http.tls import load_tls

__all__ = ["HttpServer", "bind", "is_loopback", "load_tls", "make_application", "url_of"]
