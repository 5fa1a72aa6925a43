"""What somebody may do, and where: roles, and the namespaces that each covers."""

from collections.abc import Mapping
from enum import StrEnum
from typing import NamedTuple

EVERYWHERE = "*"


class Role(StrEnum):
    """What somebody may do: look, tell of what ran, and say what runs."""

    READ = "read"
    WRITE = "write"
    OPERATE = "operate"


class Caller(NamedTuple):
    """Who asks: the name of the token, if any, and the namespaces that each role covers."""

    token: str | None
    covers: Mapping[Role, frozenset[str]]

    def may(self, role: Role, namespace: str) -> bool:
        """Say whether a role covers a namespace; `EVERYWHERE` asks whether it covers all."""
        return self.covers_all(role) or namespace in self.covers[role]

    def covers_all(self, role: Role) -> bool:
        """Say whether a role covers every namespace, those to come included."""
        return EVERYWHERE in self.covers[role]


ANYBODY = Caller(None, dict.fromkeys(Role, frozenset({EVERYWHERE})))
