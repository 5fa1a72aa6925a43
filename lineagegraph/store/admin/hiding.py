"""Hidden nodes: kept, and left out of all reads until an event names them again."""

from datetime import datetime

from lineagegraph.graph import Transaction, bound


@bound
def set_job(tx: Transaction, *, key: str, now: datetime | None) -> None: ...


@bound
def set_dataset(tx: Transaction, *, key: str, now: datetime | None) -> None: ...


@bound
def list_ruled(tx: Transaction, *, name: str, inherit: bool) -> list[str]: ...


@bound
def set_namespace(tx: Transaction, *, name: str, inherit: bool, now: datetime | None) -> None: ...
