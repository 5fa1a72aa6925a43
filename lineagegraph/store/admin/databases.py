"""The database that the graph is in."""

import msgspec

from lineagegraph.graph import Transaction, bound


class Database(msgspec.Struct, frozen=True):
    """A database, and how many jobs and datasets are in it."""

    name: str
    jobs: int
    datasets: int


@bound
def get_database(tx: Transaction) -> Database: ...
