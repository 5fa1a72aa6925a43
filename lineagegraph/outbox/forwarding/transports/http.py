"""An OpenLineage server, by HTTP."""

from collections.abc import Mapping
from typing import Any

import httpx2
import msgspec

from lineagegraph.errors import EventRefused, NotDelivered
from lineagegraph.outbox.forwarding.transports.transport import SECONDS

# The event is at fault, not the target, nor what it thinks of us.
AT_FAULT = (400, 413, 415, 422)


class HttpTransport:
    """POSTs events; an answer of 2xx means that one arrived, and redirects are not followed."""

    def __init__(self, url: str, headers: Mapping[str, str], seconds: float = SECONDS) -> None:
        self._url = url
        self._headers = {
            "content-type": "application/json",
            "user-agent": "lineagegraph",
            **headers,
        }
        self._client = httpx2.Client(timeout=seconds, follow_redirects=False)

    def send(self, event: dict[str, Any]) -> None:
        """POST it; raise `NotDelivered` for another answer."""
        body = msgspec.json.encode(event)
        # The answer's body is nobody's concern, and may have no end.
        with self._client.stream("POST", self._url, content=body, headers=self._headers) as answer:
            status = answer.status_code
        if status in AT_FAULT:
            raise EventRefused(f"the server returned {status}")
        if not answer.is_success:
            raise NotDelivered(f"the server returned {status}")
