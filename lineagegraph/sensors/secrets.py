"""Secrets are no fields of a sensor: the graph has those for all to see."""

from collections.abc import Iterator
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

from lineagegraph.errors import InvalidSensor
from lineagegraph.model.secrets import names_secret

HIDDEN = "…"


def check_no_secrets(kind: str, fields: dict[str, Any]) -> None:
    """Raise `InvalidSensor` for fields that are likely secrets, without showing them."""
    for path in _secrets(fields, ""):
        raise InvalidSensor(
            f"sensor of kind {kind}: field {path} is a secret, which the graph would show: store "
            "it with `lineagegraph connection set NAME`, and give connection=NAME here"
        )


def mask_url(url: str) -> str:
    """Return a URL without its password, and without values of its query that are secrets."""
    if not _has_secret(url):
        return url
    try:
        parts = urlsplit(url)
        user, at, host = parts.netloc.rpartition("@")
        name = user.partition(":")[0]
        netloc = f"{name}:{HIDDEN}@{host}" if ":" in user else f"{user}{at}{host}"
    except ValueError:
        return HIDDEN
    query = "&".join(_masked(one) for one in parts.query.split("&"))
    return parts._replace(netloc=netloc, query=query).geturl()


def password_in(text: str) -> list[str]:
    """Return the secrets of a URL, as it has them and as they are meant."""
    if not _has_secret(text):
        return []
    parts = urlsplit(text)
    password = parts.netloc.rpartition("@")[0].partition(":")[2]
    asked = [value for name, value in parse_qsl(parts.query) if names_secret(name)]
    return [one for one in (password, unquote(password), *asked) if one]


def _masked(pair: str) -> str:
    name, equals, _ = pair.partition("=")
    return f"{name}={HIDDEN}" if equals and names_secret(name) else pair


def _secrets(value: Any, path: str) -> Iterator[str]:
    """Yield the paths of likely secrets."""
    if isinstance(value, dict):
        for name, item in value.items():
            below = f"{path}.{name}" if path else str(name)
            if names_secret(str(name)) and item not in (None, "", [], {}):
                yield below
            yield from _secrets(item, below)
    elif isinstance(value, list):
        for number, item in enumerate(value):
            yield from _secrets(item, f"{path}[{number}]")
    elif isinstance(value, str) and _has_secret(value):
        yield path


def _has_secret(text: str) -> bool:
    if "://" not in text:
        return False
    try:
        parts = urlsplit(text)
    except ValueError:
        return False
    user = parts.netloc.rpartition("@")[0]
    asked = (name for name, value in parse_qsl(parts.query) if value)
    return bool(user.partition(":")[2]) or any(names_secret(name) for name in asked)
