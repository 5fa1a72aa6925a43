"""The state that a person saw when the form was opened: that of another is not replaced unseen."""

from collections.abc import Callable
from typing import Any

import msgspec

from lineagegraph.errors import ChangedMeanwhile
from lineagegraph.graph import Transaction
from lineagegraph.store.admin.states import claim_jobs

Known = dict[str, Any] | None | msgspec.UnsetType


def refuse_other(known: Known, now: object, what: str, text: str) -> None:
    """Raise `ChangedMeanwhile` if `now` is not what a person knew; `text` describes it as it is."""
    if known is not msgspec.UNSET and msgspec.to_builtins(now) != known:
        raise ChangedMeanwhile(f"{what} was changed meanwhile; {text}: try again")


def locked(key: str, check: Callable[[Transaction], None]) -> Callable[[Transaction], None]:
    """Return a check of a job that other changes of this job wait for."""

    def work(tx: Transaction) -> None:
        claim_jobs(tx, keys=[key])
        check(tx)

    return work
