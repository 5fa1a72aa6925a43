"""Jobs and datasets by a part of a name."""

from datetime import datetime

import msgspec

from lineagegraph.graph import Transaction, bound


class Hit(msgspec.Struct, frozen=True):
    """A job, by FQN, or a dataset; `top_namespace` is that of a job's topmost ancestor."""

    key: str
    namespace: str
    top_namespace: str
    name: str
    updated_at: datetime | None


@bound
def list_jobs(tx: Transaction, *, text: str) -> list[Hit]: ...


@bound
def list_datasets(tx: Transaction, *, text: str, columns: bool) -> list[Hit]: ...
