"""Events as they were received."""

from typing import Any

from lineagegraph.graph import Transaction, bound


@bound
def merge_events(tx: Transaction, *, rows: list[dict[str, Any]]) -> None: ...
