"""Access control: tokens, sessions and a provider's users, roles, and the namespaces they cover."""

from lineagegraph.http.access.caller import caller_of, require
from lineagegraph.http.access.claim_watch import ClaimWatch
from lineagegraph.http.access.credentials import Credentials
from lineagegraph.http.access.foreign import judge_events
from lineagegraph.http.access.known_sessions import KnownSessions
from lineagegraph.http.access.known_tokens import KnownTokens
from lineagegraph.http.access.last_uses import LastUses
from lineagegraph.http.access.middleware import Access
from lineagegraph.http.access.oidc.login import load_login

__all__ = [
    "Access",
    "ClaimWatch",
    "Credentials",
    "KnownSessions",
    "KnownTokens",
    "LastUses",
    "caller_of",
    "judge_events",
    "load_login",
    "require",
]
