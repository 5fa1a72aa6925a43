"""The words that a query of this graph can use."""

from lineagegraph.graph import Transaction, bound


@bound
def list_labels(tx: Transaction) -> list[str]: ...


@bound
def list_types(tx: Transaction) -> list[str]: ...


@bound
def list_properties(tx: Transaction) -> list[str]: ...
