"""Head and tail of the logs of tasks, kept in the graph for readers on other hosts."""

import msgspec

from lineagegraph.graph import Transaction, bound


class KeptLog(msgspec.Struct, frozen=True):
    """The log of a run, as the graph has it."""

    path: str | None  # path of its file on the host of the worker; None if it has no log
    text: str | None  # head and tail of the newest finished attempt; None before the first
    attempt: int | None  # number of that attempt
    host: str | None  # name of the host that it ran on


@bound
def set_log(tx: Transaction, *, id: str, text: str, attempt: int, host: str) -> None: ...


@bound
def get_log(tx: Transaction, *, id: str) -> KeptLog | None: ...
