"""The flow of tagged values along column lineage."""

import msgspec

from lineagegraph.graph import Transaction, bound


class FlowColumn(msgspec.Struct, frozen=True):
    """A column with its dataset; `source` is the key of the column before it, `job` made it."""

    key: str
    name: str
    namespace: str
    dataset: str
    source: str | None = None
    job: str | None = None


@bound
def list_tagged_columns(tx: Transaction, *, name: str, limit: int) -> list[FlowColumn]: ...


@bound
def list_values_passed(
    tx: Transaction, *, keys: list[str], known: list[str], limit: int
) -> list[FlowColumn]: ...
