"""The HTTP server: what others may ask and tell over the network."""

from lineagegraph.http.application import make_application
from lineagegraph.http.server import HttpServer, bind

__all__ = ["HttpServer", "bind", "make_application"]
