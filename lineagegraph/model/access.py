"""Access rights: roles, and the namespaces that each covers."""

from collections.abc import Mapping
from enum import StrEnum
from typing import NamedTuple

EVERYWHERE = "*"


class Role(StrEnum):
    """A role: read, write events, or operate runs."""

    READ = "read"
    WRITE = "write"
    OPERATE = "operate"


class Caller(NamedTuple):
    """The user of a request: the name of the token, if any, and the namespaces of each role."""

    token: str | None
    covers: Mapping[Role, frozenset[str]]
    #: the only run that the token covers, with the runs below it; None: no such limit
    run: str | None = None

    def may(self, role: Role, namespace: str) -> bool:
        """Return whether a role covers a namespace; `EVERYWHERE` means all namespaces."""
        return self.covers_all(role) or namespace in self.covers[role]

    def covers_all(self, role: Role) -> bool:
        """Return whether a role covers every namespace, including future ones."""
        return EVERYWHERE in self.covers[role]


ANYBODY = Caller(None, dict.fromkeys(Role, frozenset({EVERYWHERE})))
