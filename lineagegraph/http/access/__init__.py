"""Access control: bearer tokens, roles, and the namespaces that they cover."""

from lineagegraph.http.access.caller import caller_of, require
from lineagegraph.http.access.claim_watch import ClaimWatch
from lineagegraph.http.access.foreign import judge_events
from lineagegraph.http.access.known_tokens import KnownTokens
from lineagegraph.http.access.middleware import Access

__all__ = ["Access", "ClaimWatch", "KnownTokens", "caller_of", "judge_events", "require"]
