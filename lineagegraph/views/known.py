"""The state that a person saw when the form was opened: that of another is not replaced unseen."""

from collections.abc import Callable
from typing import Any, TypeVar

import msgspec

from lineagegraph.errors import ChangedMeanwhile
from lineagegraph.graph import Transaction
from lineagegraph.store.admin.states import claim_datasets, claim_jobs

Known = dict[str, Any] | None | msgspec.UnsetType
S = TypeVar("S")


def refuse_other(known: Known, now: object, what: str, text: str) -> None:
    """Raise `ChangedMeanwhile` if `now` is not what a person knew; `text` describes it as it is."""
    if known is not msgspec.UNSET and msgspec.to_builtins(now) != known:
        raise ChangedMeanwhile(f"{what} was changed meanwhile; {text}: try again")


def claim_node(tx: Transaction, key: str) -> None:
    """Lock a job or dataset: another change of it waits, and then finds this one."""
    for claim in (claim_jobs, claim_datasets):
        claim(tx, keys=[key])


def only_known(
    key: str,
    known: Known,
    what: str,
    read: Callable[[Transaction, str], S | None],
    describe: Callable[[S], str],
    none: str = "it has ended",
) -> Callable[[Transaction], None]:
    """Return a check that a person knew the state of a job or dataset, as `read` finds it now.

    Other changes of it wait for this one.
    """

    def check(tx: Transaction) -> None:
        claim_node(tx, key)
        now = read(tx, key)
        refuse_other(known, now, what, none if now is None else f"now {describe(now)}")

    return check
