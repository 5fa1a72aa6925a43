"""The HTTP server: what others may ask and tell over the network."""

from lineagegraph.http.application import make_application
from lineagegraph.http.server import HttpServer, bind, is_loopback

__all__ = ["HttpServer", "bind", "is_loopback", "make_application"]
