"""Events as they were received, their facets by hash."""

from lineagegraph.graph import Transaction, bound


@bound
def list_newest(
    tx: Transaction, *, after: str | None, before: str | None, offset: int, limit: int
) -> list[str]: ...


@bound
def list_oldest(
    tx: Transaction, *, after: str | None, before: str | None, offset: int, limit: int
) -> list[str]: ...


@bound
def count_events(tx: Transaction, *, after: str | None, before: str | None) -> int: ...
