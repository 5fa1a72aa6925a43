"""Access control: hosts, pages, tokens, sessions and users, their roles, and limits."""

from lineagegraph.http.access.caller import caller_of, require
from lineagegraph.http.access.claim_watch import ClaimWatch
from lineagegraph.http.access.credentials import Credentials
from lineagegraph.http.access.foreign import has_no_claims, judge_events
from lineagegraph.http.access.guard import Guard, foreign_page
from lineagegraph.http.access.hosts import AllowedHosts
from lineagegraph.http.access.known_sessions import KnownSessions
from lineagegraph.http.access.known_tokens import KnownTokens
from lineagegraph.http.access.last_uses import LastUses
from lineagegraph.http.access.limits import CallerLimits, LimitedRequests
from lineagegraph.http.access.middleware import Access
from lineagegraph.http.access.oidc.login import load_login
from lineagegraph.http.access.run_tokens import RunTokens
from lineagegraph.http.access.runs import require_on_run

__all__ = [
    "Access",
    "AllowedHosts",
    "CallerLimits",
    "ClaimWatch",
    "Credentials",
    "Guard",
    "KnownSessions",
    "KnownTokens",
    "LastUses",
    "LimitedRequests",
    "RunTokens",
    "caller_of",
    "foreign_page",
    "has_no_claims",
    "judge_events",
    "load_login",
    "require",
    "require_on_run",
]
