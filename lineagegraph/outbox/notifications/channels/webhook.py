"""Webhooks, with the headers and signature of Standard Webhooks."""

from datetime import UTC, datetime

import httpx2
import msgspec
from standardwebhooks import Webhook

from lineagegraph.errors import NotDelivered, SettingsError
from lineagegraph.outbox.notifications.channels.channel import SECONDS
from lineagegraph.outbox.notifications.message import Message


class WebhookChannel:
    """POSTs JSON; only an answer of 2xx means that it arrived, and redirects are not followed."""

    def __init__(self, url: str, key: bytes | None, seconds: float = SECONDS) -> None:
        try:
            self._url = httpx2.URL(url)
        except httpx2.InvalidURL:
            raise SettingsError("its address is not a URL") from None
        if not self._url.host:
            raise SettingsError("its address has no host")
        self._webhook = Webhook(key) if key else None
        self._client = httpx2.Client(timeout=seconds, follow_redirects=False)

    def send(self, message: Message) -> None:
        """POST it; raise `NotDelivered` for another answer."""
        body = msgspec.json.encode(message.as_json())
        headers = self._headers(message.id, datetime.now(UTC), body)
        # The answer's body is nobody's concern, and may have no end.
        with self._client.stream("POST", self._url, content=body, headers=headers) as answer:
            if not answer.is_success:
                raise NotDelivered(f"the webhook returned {answer.status_code}")

    def _headers(self, id_: str, sent_at: datetime, body: bytes) -> dict[str, str]:
        headers = {
            "content-type": "application/json",
            "user-agent": "lineagegraph",
            "webhook-id": id_,
            "webhook-timestamp": str(int(sent_at.timestamp())),
        }
        if self._webhook:
            headers["webhook-signature"] = self._webhook.sign(id_, sent_at, body.decode())
        return headers
