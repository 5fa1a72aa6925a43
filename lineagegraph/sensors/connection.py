"""A connection to a database, a server or a bucket, with its secrets."""

from collections.abc import Iterator
from typing import Any

import msgspec

from lineagegraph.errors import InvalidConnection
from lineagegraph.model.typed import decode_json
from lineagegraph.secrets import MASK, mask_text, names_secret, secrets_in
from lineagegraph.sensors.texts import one_line

_SHORTEST = 4


class Connection(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An address, a user, and options of the driver or file system."""

    url: str | None = None
    user: str | None = None
    password: str | None = None
    token: str | None = None
    headers: dict[str, str] = msgspec.field(default_factory=dict)
    options: dict[str, Any] = msgspec.field(default_factory=dict)

    def shown(self) -> dict[str, Any]:
        """Return the public parts, and the names of the secret ones."""
        said = {
            "url": self.url and mask_text(self.url),
            "user": self.user,
            "password": self.password and MASK,
            "token": self.token and MASK,
            "headers": dict.fromkeys(self.headers, MASK),
            "options": _masked(self.options),
        }
        return {name: value for name, value in said.items() if value}

    def secrets(self) -> set[str]:
        """Return the secret values."""
        found = {self.password, self.token, *self.headers.values(), *_secret_texts(self.options)}
        found |= set(secrets_in(self.url)) if self.url else set()
        return {text for text in found if text and len(text) >= _SHORTEST}


def read_connection(name: str, said: str) -> Connection:
    """Return a connection that is a URL, or a JSON object; raise `InvalidConnection` for others."""
    text = said.strip()
    if not text:
        raise InvalidConnection(f"connection {name}: the value is empty")
    if not text.startswith("{"):
        return _of_url(name, text)
    try:
        found = decode_json(text, into=Connection)
    except msgspec.MsgspecError as error:
        raise InvalidConnection(f"connection {name}: {one_line(error)}") from None
    if found == Connection():
        raise InvalidConnection(f"connection {name}: the value is empty")
    return found


def _of_url(name: str, text: str) -> Connection:
    if ":" not in text or not text.isprintable() or " " in text:
        raise InvalidConnection(
            f"connection {name}: the value is neither a URL nor a JSON object such as "
            '{"url": "https://api.example.com", "token": "…"}'
        )
    return Connection(url=text)


def _masked(value: Any) -> Any:
    if isinstance(value, dict):
        return {
            name: MASK if names_secret(name) or name in _KEYS else _masked(item)
            for name, item in value.items()
        }
    if isinstance(value, list):
        return [_masked(item) for item in value]
    return mask_text(value) if isinstance(value, str) else value


def _secret_texts(value: Any, secret: bool = False) -> Iterator[str]:
    if isinstance(value, dict):
        for name, item in value.items():
            yield from _secret_texts(item, secret or names_secret(name) or name in _KEYS)
    elif isinstance(value, list):
        for item in value:
            yield from _secret_texts(item, secret)
    elif isinstance(value, str):
        yield from [value] if secret else secrets_in(value)


_KEYS = ("key",)  # how fsspec calls an access key
