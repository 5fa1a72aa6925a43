"""The tokens of the graph, refreshed every few seconds, so that no request waits for them."""

import hmac
import time
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from threading import Event, Lock, Thread
from typing import NamedTuple

import structlog

from lineagegraph.admin.tokens import hash_token, list_tokens
from lineagegraph.errors import GraphError
from lineagegraph.graph import Graph
from lineagegraph.http.access.challenges import EXPIRED, UNKNOWN, invalid
from lineagegraph.http.access.last_uses import LastUses
from lineagegraph.model.access import Caller, Role
from lineagegraph.store.admin.tokens import TokenRow

log = structlog.get_logger()
_FRESH_SECONDS = 2.0
# A Neo4j that hangs must not hold up those whose tokens are known.
_PATIENCE_SECONDS = 0.5
_LONGEST = 200


class _Known(NamedTuple):
    caller: Caller
    until: datetime | None


class KnownTokens:
    """Finds the caller of a token; a revoked one is forgotten within `_FRESH_SECONDS`.

    While Neo4j is away known tokens stay valid: their events go to the spool.
    """

    def __init__(self, graph: Graph, uses: LastUses) -> None:
        self._graph = graph
        self._uses = uses
        self._lock = Lock()
        self._callers: dict[str, _Known] | None = None
        self._read_at = 0.0
        self._reading: Event | None = None

    def are_fresh(self) -> bool:
        """Return whether `find` answers at once."""
        return self._callers is not None and time.monotonic() - self._read_at < _FRESH_SECONDS

    def find(self, token: bytes) -> Caller:
        """Return the caller of a token; raise `RequestRefused` if it is unknown or expired.

        All tokens are compared, in constant time.
        """
        if not 0 < len(token) <= _LONGEST:
            raise invalid(UNKNOWN)
        return self.find_hash(hash_token(token))

    def find_hash(self, hash_: str) -> Caller:
        """Return the caller of a token by its hash, as `find` does."""
        found = None
        for known, one in self._known().items():
            if hmac.compare_digest(known, hash_):
                found = one
        if found is None:
            raise invalid(UNKNOWN)
        if found.until is not None and found.until <= datetime.now(UTC):
            at = found.until.isoformat(timespec="seconds")
            raise invalid(
                f"token named {found.caller.token!r} expired at {at}: `lineagegraph token rotate "
                f"{found.caller.token}` makes a new one",
                EXPIRED,
            )
        assert found.caller.token is not None
        self._uses.note_token(found.caller.token)
        return found.caller

    def by_name(self) -> dict[str, Caller]:
        """Return the callers of all tokens that are valid now."""
        now = datetime.now(UTC)
        valid = (one for one in self._known().values() if one.until is None or one.until > now)
        return {one.caller.token or "": one.caller for one in valid}

    def owned(self) -> frozenset[str]:
        """Return the patterns of dataset namespaces that tokens own."""
        return frozenset().union(*(one.caller.datasets for one in self._known().values()))

    def _known(self) -> dict[str, _Known]:
        if self._callers is None:
            with self._lock:
                if self._callers is None:
                    self._read()
        elif not self.are_fresh():
            self._read_beside().wait(_PATIENCE_SECONDS)
        assert self._callers is not None
        return self._callers

    def _read_beside(self) -> Event:
        """Read in another thread, one at a time, and return what is set when it is done."""
        with self._lock:
            done = self._reading
            if done is None:
                done = self._reading = Event()
                Thread(target=self._read_and_set, args=(done,), daemon=True).start()
            return done

    def _read_and_set(self, done: Event) -> None:
        try:
            self._read()
        finally:
            self._reading = None
            done.set()

    def _read(self) -> None:
        try:
            self._callers = dict(_secrets(list_tokens(self._graph)))
        except GraphError as error:
            if self._callers is None:
                raise
            log.warning("tokens_not_read", error=str(error))
        self._read_at = time.monotonic()


def _secrets(rows: Iterable[TokenRow]) -> Iterator[tuple[str, _Known]]:
    rows = list(rows)
    owned = frozenset(pattern for row in rows for pattern in row.datasets)
    for row in rows:
        covers = {role: frozenset[str](getattr(row, role.value)) for role in Role}
        caller = Caller(row.name, covers, None, frozenset(row.datasets), owned)
        yield row.hash, _Known(caller, row.expires_at)
        if row.old_hash is not None:
            yield row.old_hash, _Known(caller, row.old_until)
