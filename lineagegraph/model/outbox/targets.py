"""Forwarding targets for events. Addresses and credentials are never shown."""

import re
from fnmatch import translate
from typing import Annotated, Any, Literal
from urllib.parse import urlsplit

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    Secret,
    SecretStr,
    field_validator,
    model_validator,
)

PATH = "/api/v1/lineage"
# An escaped character, or a set, which may begin with `^` and then with its own `]`.
_SET = re.compile(r"(?s)\\.|\[(\^?)(\]?)((?:\\.|[^\]\\])*)\]")
_BRACKET = re.compile(r"(?s)\\.|\[")
_CLOSING = r"\]"
OutboxName = Annotated[str, Field(pattern=r"^[\w.-]+$", max_length=100)]
"""The name of a target or channel."""


class Forward(BaseModel):
    """A target: an OpenLineage `url`, or a `transport` of openlineage-python.

    `send` is `own` for events of runs executed here, or `all` for received events too; `namespaces`
    are patterns for the namespace of the event's job, or else of its dataset.
    """

    model_config = ConfigDict(extra="forbid", frozen=True, hide_input_in_errors=True)

    name: OutboxName
    url: SecretStr | None = None
    token: SecretStr | None = None
    headers: dict[str, SecretStr] = Field(default_factory=dict)
    transport: Secret[dict[str, Any]] | None = None
    send: Literal["own", "all"] = "own"
    namespaces: tuple[str, ...] = Field(default=("*",), min_length=1)

    @field_validator("url")
    @classmethod
    def _has_host(cls, url: SecretStr | None) -> SecretStr | None:
        if url is None:
            return None
        try:
            found = urlsplit(url.get_secret_value())
            is_good = found.scheme in ("http", "https") and found.hostname and found.port != 0
        except ValueError:
            is_good = False
        if not is_good:
            raise ValueError("must be http://HOST… or https://HOST…")
        return url

    @field_validator("transport")
    @classmethod
    def _has_type(cls, transport: Secret[dict[str, Any]] | None) -> Secret[dict[str, Any]] | None:
        if transport and not isinstance(transport.get_secret_value().get("type"), str):
            raise ValueError("needs a type, such as 'kafka'")
        return transport

    @model_validator(mode="after")
    def _leads_somewhere(self) -> "Forward":
        if (self.url is None) == (self.transport is None):
            raise ValueError(f"{self.name} needs either a url or a transport")
        if self.transport and (self.token or self.headers):
            raise ValueError(f"{self.name}: token and headers go with a url, not with a transport")
        return self

    @property
    def address(self) -> str:
        """Return the URL to POST to; a URL without a path gets the default path."""
        url = self.url.get_secret_value() if self.url else ""
        found = urlsplit(url)
        return found._replace(path=PATH).geturl() if found.path in ("", "/") else url

    @property
    def namespace_pattern(self) -> str:
        """Return the patterns of its namespaces as one regular expression, of Python and Java."""
        return "|".join(_SET.sub(_escape_set, translate(pattern)) for pattern in self.namespaces)


def _escape_set(found: re.Match[str]) -> str:
    """Escape the brackets in a set: Java, and so Neo4j, takes them for a set in the set."""
    negation, first, rest = found.groups()
    if rest is None:
        return found[0]
    inside = _BRACKET.sub(lambda one: one[0] if len(one[0]) > 1 else r"\[", rest)
    return f"[{negation}{first and _CLOSING}{inside}]"


def _check_names(forwards: tuple[Forward, ...]) -> tuple[Forward, ...]:
    names = [forward.name for forward in forwards]
    for name in names:
        if names.count(name) > 1:
            raise ValueError(f"two targets are named {name}")
    return forwards


Forwards = Annotated[tuple[Forward, ...], AfterValidator(_check_names)]
