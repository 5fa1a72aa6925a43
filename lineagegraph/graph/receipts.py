"""Audit entries as receipts: they show whether a transaction was committed if nobody answers."""

from collections.abc import Callable
from contextvars import ContextVar
from typing import Any, Generic, TypeVar

from lineagegraph.graph.binding import Transaction, bound
from lineagegraph.model.holding import holding

T = TypeVar("T")


class Receipt(Generic[T]):
    """The result of a transaction's function, and the id of an audit entry that it wrote."""

    result: T

    def __init__(self) -> None:
        self.entry: str | None = None

    def keep(self, work: Callable[[], T]) -> T:
        """Do the work of the transaction, which may be repeated, and return its result."""
        self.entry = None
        with holding(_current, self):
            self.result = work()
        return self.result


_current: ContextVar[Receipt[Any] | None] = ContextVar("receipt", default=None)


def note_receipt(entry: str) -> None:
    """Note an audit entry that the transaction of this thread writes."""
    if receipt := _current.get():
        receipt.entry = entry


@bound
def claim_entry(tx: Transaction, *, entry: str) -> bool: ...
