"""What a rerun is asked to be, and how it differs from the run that it repeats."""

import re
from enum import StrEnum
from typing import Any

import msgspec

CHOICES = ("as_was", "latest", "pinned:VERSION")
_PINNED = re.compile(r"pinned:([0-9a-f]{4,64})")


class Kind(StrEnum):
    """Which code a rerun takes: that of the original, today's, a named version's, or a question."""

    AS_WAS = "as_was"
    LATEST = "latest"
    PINNED = "pinned"
    ASK = "ask"


class Allow(StrEnum):
    """What may be other than it was though the code is as it was."""

    PACKAGES = "packages"
    INPUTS = "inputs"


class Policy(msgspec.Struct, frozen=True):
    """A kind, and the start of a version's hash where one is pinned."""

    kind: Kind
    version: str | None = None

    def __str__(self) -> str:
        """Return it as people write it."""
        return f"{self.kind}:{self.version}" if self.version else str(self.kind)


class RerunRequest(msgspec.Struct, frozen=True, kw_only=True):
    """A run to run again: with which code, parameters, and which of its tasks.

    `tasks` are paths; `from_task` takes one and what follows it, `from_failed` those that did not
    complete and what follows them. Without any of these it is what the original was asked to be.
    """

    run: str
    policy: str | None = None
    params: dict[str, Any] = {}
    tasks: tuple[str, ...] = ()
    from_task: str | None = None
    from_failed: bool = False
    allow: frozenset[Allow] = frozenset()
    isolated: bool = False


class Difference(msgspec.Struct, frozen=True):
    """What is other than in the original; null where a side has none."""

    what: str
    name: str
    before: Any = None
    after: Any = None


def read_policy(text: str) -> Policy:
    """Return a policy as people write it; raise `ValueError` for anything else."""
    if found := _PINNED.fullmatch(text):
        return Policy(Kind.PINNED, found[1])
    if text in (Kind.AS_WAS, Kind.LATEST, Kind.ASK):
        return Policy(Kind(text))
    raise ValueError(
        f"{text!r} is no rerun policy: use as_was, latest, ask or pinned:VERSION (4 or more digits "
        "of a version's hash)"
    )
