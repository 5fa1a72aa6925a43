"""The request for a rerun, and its differences from the original run."""

import re
from enum import StrEnum
from typing import Any

import msgspec

CHOICES = ("as_was", "latest", "pinned:VERSION")
_PINNED = re.compile(r"pinned:([0-9a-f]{4,64})")


class PolicyKind(StrEnum):
    """The code of a rerun: the original's, the latest, a pinned version's, or to be asked for."""

    AS_WAS = "as_was"
    LATEST = "latest"
    PINNED = "pinned"
    ASK = "ask"


class Allow(StrEnum):
    """Differences that a rerun with the original code may accept."""

    PACKAGES = "packages"
    INPUTS = "inputs"


class RerunPolicy(msgspec.Struct, frozen=True):
    """A kind, and a prefix of a version's hash if one is pinned."""

    kind: PolicyKind
    version: str | None = None

    def __str__(self) -> str:
        """Return it as users write it."""
        return f"{self.kind}:{self.version}" if self.version else str(self.kind)


class RerunRequest(msgspec.Struct, frozen=True, kw_only=True):
    """A request to rerun a run: its code, parameters and tasks.

    `tasks` are paths; `from_task` selects one and its followers, `from_failed` those that did not
    complete and their followers. Without any of these, the request is that of the original.
    """

    run: str  # id of the run to repeat
    # code to run: as_was, latest, ask or pinned:VERSION; None for the default
    policy: str | None = None
    params: dict[str, Any] = {}  # parameters that replace those of the run
    tasks: tuple[str, ...] = ()  # paths of the tasks to run; empty for all
    from_task: str | None = None  # path of the first task to run, with its followers
    # whether to run the tasks that did not complete, with their followers
    from_failed: bool = False
    allow: frozenset[Allow] = frozenset()  # differences to accept
    isolated: bool = False  # whether to run in an environment made from the stored lock


class Difference(msgspec.Struct, frozen=True):
    """A difference from the original run; None if absent."""

    what: str
    name: str
    before: Any = None
    after: Any = None


def read_policy(text: str) -> RerunPolicy:
    """Return a policy as people write it; raise `ValueError` for anything else."""
    if found := _PINNED.fullmatch(text):
        return RerunPolicy(PolicyKind.PINNED, found[1])
    if text in (PolicyKind.AS_WAS, PolicyKind.LATEST, PolicyKind.ASK):
        return RerunPolicy(PolicyKind(text))
    raise ValueError(
        f"{text!r} is not a rerun policy: use as_was, latest, ask or pinned:VERSION (4 or more "
        "digits of a version's hash)"
    )
