"""Webhooks, with the headers and signature of Standard Webhooks."""

import base64
import hashlib
import hmac
import time

import httpx
import msgspec

from lineagegraph.errors import NotDelivered, SettingsError
from lineagegraph.outbox.notifications.channels.channel import SECONDS
from lineagegraph.outbox.notifications.message import Message


class WebhookChannel:
    """POSTs JSON; only an answer of 2xx means that it arrived, and redirects are not followed."""

    def __init__(self, url: str, key: bytes | None, seconds: float = SECONDS) -> None:
        try:
            self._url = httpx.URL(url)
        except httpx.InvalidURL:
            raise SettingsError("its address is no URL") from None
        if not self._url.host:
            raise SettingsError("its address names no host")
        self._key = key
        self._client = httpx.Client(timeout=seconds, follow_redirects=False)

    def send(self, message: Message) -> None:
        """POST it; raise `NotDelivered` for another answer."""
        body = msgspec.json.encode(message.as_json())
        headers = self._headers(message.id, str(int(time.time())), body)
        # The answer's body is nobody's concern, and may have no end.
        with self._client.stream("POST", self._url, content=body, headers=headers) as answer:
            if not answer.is_success:
                raise NotDelivered(f"the webhook answered {answer.status_code}")

    def _headers(self, id_: str, timestamp: str, body: bytes) -> dict[str, str]:
        headers = {
            "content-type": "application/json",
            "user-agent": "lineagegraph",
            "webhook-id": id_,
            "webhook-timestamp": timestamp,
        }
        if self._key:
            signed = b".".join((id_.encode(), timestamp.encode(), body))
            digest = hmac.new(self._key, signed, hashlib.sha256).digest()
            headers["webhook-signature"] = f"v1,{base64.b64encode(digest).decode()}"
        return headers
