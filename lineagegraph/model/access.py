"""Access rights: roles, and the namespaces that each covers."""

from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import NamedTuple

EVERYWHERE = "*"


class Role(StrEnum):
    """A role: read, write events, or operate runs."""

    READ = "read"
    WRITE = "write"
    OPERATE = "operate"


class Caller(NamedTuple):
    """The sender of a request, by its token or as a provider's user, and what each role covers."""

    token: str | None
    covers: Mapping[Role, frozenset[str]]
    user: str | None = None

    def may(self, role: Role, namespace: str) -> bool:
        """Return whether a role covers a namespace; `EVERYWHERE` means all namespaces."""
        return self.covers_all(role) or namespace in self.covers[role]

    def covers_all(self, role: Role) -> bool:
        """Return whether a role covers every namespace, including future ones."""
        return EVERYWHERE in self.covers[role]


def read_covers(texts: Iterable[str]) -> dict[Role, frozenset[str]]:
    """Return the namespaces of each role from `ROLE:NAMESPACE`; raise `ValueError` for others."""
    covers = dict.fromkeys(Role, frozenset[str]())
    for text in texts:
        word, _, namespace = text.partition(":")
        if word not in list(Role) or not namespace:
            raise ValueError(
                f"{text!r} is not ROLE:NAMESPACE with a role of {', '.join(Role)}; * is every "
                "namespace"
            )
        covers[Role(word)] |= {namespace}
    return covers


ANYBODY = Caller(None, dict.fromkeys(Role, frozenset({EVERYWHERE})))
