"""Secrets of targets, kept out of messages."""

from typing import Any

from lineagegraph.model.outbox.targets import Forward
from lineagegraph.secrets import MASK, mask_text

_SHORTEST = 4


def hide_secrets(text: str, forward: Forward) -> str:
    """Return a text without the addresses and secrets of a target."""
    for secret in sorted(_secrets(forward), key=len, reverse=True):
        text = text.replace(secret, MASK)
    return mask_text(text)


def _secrets(forward: Forward) -> set[str]:
    found = {value.get_secret_value() for value in forward.headers.values()}
    found |= {value.get_secret_value() for value in (forward.url, forward.token) if value}
    if forward.transport:
        said = forward.transport.get_secret_value()
        found |= set(_texts({name: value for name, value in said.items() if name != "type"}))
    return {secret for secret in found if len(secret) >= _SHORTEST}


def _texts(value: Any) -> list[str]:
    if isinstance(value, dict):
        return [text for name, item in value.items() if name != "type" for text in _texts(item)]
    if isinstance(value, list | tuple):
        return [text for item in value for text in _texts(item)]
    return [value] if isinstance(value, str) else []
