"""The clock of the database, which all processes share."""

from datetime import datetime

from lineagegraph.graph import Transaction, bound


@bound
def get_time(tx: Transaction) -> datetime: ...
