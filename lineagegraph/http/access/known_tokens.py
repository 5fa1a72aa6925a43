"""The tokens of the graph, refreshed every few seconds, so that no request waits for them."""

import hmac
import time
from threading import Lock

import structlog

from lineagegraph.admin.tokens import hash_token, list_tokens
from lineagegraph.errors import GraphError
from lineagegraph.graph import Graph
from lineagegraph.model.access import Caller, Role
from lineagegraph.store.admin.tokens import TokenRow

log = structlog.get_logger()
_FRESH_SECONDS = 2.0
_LONGEST = 200


class KnownTokens:
    """Finds the caller of a token; a revoked one is forgotten within `_FRESH_SECONDS`.

    While Neo4j is away known tokens stay valid: their events go to the spool.
    """

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._lock = Lock()
        self._callers: dict[str, Caller] | None = None
        self._read_at = 0.0

    def are_fresh(self) -> bool:
        """Return whether `find` answers at once."""
        return self._callers is not None and time.monotonic() - self._read_at < _FRESH_SECONDS

    def find(self, token: bytes) -> Caller | None:
        """Return the caller of a token, if it is known; all are compared, in constant time."""
        if not 0 < len(token) <= _LONGEST:
            return None
        given, found = hash_token(token), None
        for known, caller in self._known().items():
            if hmac.compare_digest(known, given):
                found = caller
        return found

    def by_name(self) -> dict[str, Caller]:
        """Return the callers of all tokens."""
        return {caller.token or "": caller for caller in self._known().values()}

    def _known(self) -> dict[str, Caller]:
        with self._lock:
            if not self.are_fresh():
                self._read()
            assert self._callers is not None
            return self._callers

    def _read(self) -> None:
        try:
            rows = list_tokens(self._graph)
            owned = frozenset(pattern for row in rows for pattern in row.datasets)
            self._callers = {row.hash: _caller(row, owned) for row in rows}
        except GraphError as error:
            if self._callers is None:
                raise
            log.warning("tokens_not_read", error=str(error))
        self._read_at = time.monotonic()


def _caller(row: TokenRow, owned: frozenset[str]) -> Caller:
    by_role = {Role.READ: row.read, Role.WRITE: row.write, Role.OPERATE: row.operate}
    covers = {role: frozenset(names) for role, names in by_role.items()}
    return Caller(row.name, covers, frozenset(row.datasets), owned)
