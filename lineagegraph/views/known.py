"""The state that a person saw when the form was opened: that of another is not replaced unseen."""

from collections.abc import Callable
from typing import Any, TypeVar

import msgspec

from lineagegraph.errors import ChangedMeanwhile
from lineagegraph.graph import Transaction
from lineagegraph.store.admin.states import claim_jobs

Known = dict[str, Any] | None | msgspec.UnsetType
S = TypeVar("S")


def refuse_other(known: Known, now: object, what: str, text: str) -> None:
    """Raise `ChangedMeanwhile` if `now` is not what a person knew; `text` describes it as it is."""
    if known is not msgspec.UNSET and msgspec.to_builtins(now) != known:
        raise ChangedMeanwhile(f"{what} was changed meanwhile; {text}: try again")


def only_known(
    key: str,
    known: Known,
    what: str,
    read: Callable[[Transaction, str], S | None],
    describe: Callable[[S], str],
) -> Callable[[Transaction], None]:
    """Return a check that a person knew the state of a job, as `read` finds it now.

    Other changes of this job wait for it.
    """

    def check(tx: Transaction) -> None:
        claim_jobs(tx, keys=[key])
        now = read(tx, key)
        refuse_other(known, now, what, "it has ended" if now is None else f"now {describe(now)}")

    return check
