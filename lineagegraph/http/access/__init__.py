"""Access control: hosts, web pages, bearer tokens with roles and namespaces, and limits."""

from lineagegraph.http.access.caller import caller_of, require
from lineagegraph.http.access.foreign import refuse_foreign
from lineagegraph.http.access.guard import Guard, foreign_page
from lineagegraph.http.access.hosts import AllowedHosts
from lineagegraph.http.access.known_tokens import KnownTokens
from lineagegraph.http.access.limits import CallerLimits, LimitedRequests
from lineagegraph.http.access.middleware import Access

__all__ = [
    "Access",
    "AllowedHosts",
    "CallerLimits",
    "Guard",
    "KnownTokens",
    "LimitedRequests",
    "caller_of",
    "foreign_page",
    "refuse_foreign",
    "require",
]
