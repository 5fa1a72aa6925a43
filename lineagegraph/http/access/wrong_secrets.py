"""Limits of wrong tokens and cookies that are looked up in the graph."""

import time
from collections import OrderedDict
from collections.abc import Callable
from threading import Lock
from typing import Any

from lineagegraph.http.access.challenges import invalid
from lineagegraph.http.access.limits import TokenBucket
from lineagegraph.http.plumbing.refusal import RequestRefused

_MOST = 1_000
_WRONG_SECONDS = 2.0
_PER_SECOND, _AT_ONCE = 10.0, 100.0


class WrongSecrets:
    """Remembers wrong secrets for a moment, and how many each address has sent.

    Right ones are not counted, and those that are known are not asked about. After too many wrong
    ones the others of an address are looked up one after the other.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = Lock()
        self._wrong: OrderedDict[str, tuple[float, str]] = OrderedDict()
        # The quick lookups that an address has left.
        self._peers: OrderedDict[str, TokenBucket] = OrderedDict()

    def is_quick(self, hash_: str, peer: str) -> bool:
        """Return whether an address has sent few wrong secrets.

        Raises `RequestRefused` with 401 for a secret that was just wrong.
        """
        now = self._clock()
        with self._lock:
            until, message = self._wrong.get(hash_, (0.0, ""))
            if now < until:
                raise invalid(message)
            known = self._peers.get(peer)
            return known is None or known.fill(now) >= 1

    def note(self, hash_: str, peer: str, refused: RequestRefused) -> None:
        """Count a wrong secret."""
        now = self._clock()
        with self._lock:
            _keep(self._wrong, hash_, (now + _WRONG_SECONDS, str(refused)))
            found = self._peers.get(peer) or TokenBucket(_PER_SECOND, now, _AT_ONCE)
            found.charge(1, now)
            _keep(self._peers, peer, found)


def _keep(kept: OrderedDict[str, Any], key: str, value: Any) -> None:
    kept[key] = value
    kept.move_to_end(key)
    if len(kept) > _MOST:
        kept.popitem(last=False)
