"""Sessions of browsers, and the login at a provider."""

from lineagegraph.http.sessions.routes import session_routes

__all__ = ["session_routes"]
