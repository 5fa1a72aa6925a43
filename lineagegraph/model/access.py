"""Access rights: roles, and the namespaces that each covers."""

from collections.abc import Iterable, Mapping
from enum import StrEnum
from fnmatch import fnmatchcase
from typing import NamedTuple

EVERYWHERE = "*"


class Role(StrEnum):
    """A role: read, write events, operate runs, or read the audit log of the installation."""

    READ = "read"
    WRITE = "write"
    OPERATE = "operate"
    ADMIN = "admin"


class Caller(NamedTuple):
    """The sender of a request, by its token or as a provider's user, and what each role covers.

    `datasets` are patterns of dataset namespaces, as `s3://lake*`, that it may describe;
    `owned` are the patterns of all tokens.
    """

    token: str | None
    covers: Mapping[Role, frozenset[str]]
    user: str | None = None
    datasets: frozenset[str] = frozenset()
    owned: frozenset[str] = frozenset()
    #: the only run that the token covers, with the runs below it; None: no such limit
    run: str | None = None

    @property
    def author(self) -> str | None:
        """The name under which what it states is kept; None without a token."""
        return f"user {self.user}" if self.user else self.token

    @property
    def is_confined(self) -> bool:
        """Whether its sensors may poke only places that the settings name."""
        return self.author is not None

    def may(self, role: Role, namespace: str) -> bool:
        """Return whether a role covers a namespace; `EVERYWHERE` means all namespaces."""
        return self.covers_all(role) or namespace in self.covers[role]

    def covers_all(self, role: Role) -> bool:
        """Return whether a role covers every namespace, including future ones."""
        return EVERYWHERE in self.covers[role]

    def describes(self, namespace: str, *, has_jobs: bool) -> bool:
        """Return whether statements about datasets of a namespace count, beyond reading them.

        A storage that no token owns belongs to everyone, unless it has the name of a namespace
        with jobs (`has_jobs`): then it belongs to these.
        """
        if self.covers_all(Role.WRITE) or _matches(namespace, self.datasets):
            return True
        if _matches(namespace, self.owned):
            return False
        return not has_jobs or self.may(Role.WRITE, namespace)


def _matches(namespace: str, patterns: frozenset[str]) -> bool:
    return any(fnmatchcase(namespace, pattern) for pattern in patterns)


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
