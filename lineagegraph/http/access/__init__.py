"""Access control: bearer tokens, roles, and the namespaces that they cover."""

from lineagegraph.http.access.caller import caller_of, require
from lineagegraph.http.access.foreign import refuse_foreign
from lineagegraph.http.access.known_tokens import KnownTokens
from lineagegraph.http.access.middleware import Access
from lineagegraph.http.access.run_tokens import RunTokens

__all__ = ["Access", "KnownTokens", "RunTokens", "caller_of", "refuse_foreign", "require"]
