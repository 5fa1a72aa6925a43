"""Which part of the shards is whose."""

from collections.abc import Collection, Mapping


def fair_share(shards: int, living: Collection[str], me: str) -> int:
    """Return how many shards a process shall hold; the shares of all make up all shards."""
    ids = sorted({*living, me})
    share, rest = divmod(shards, len(ids))
    return share + (ids.index(me) < rest)


def to_release(mine: Collection[int], share: int) -> list[int]:
    """Return the shards that are too many."""
    return sorted(mine)[share:]


def to_claim(owners: Mapping[int, str | None], mine: Collection[int], share: int) -> list[int]:
    """Return the shards without an owner that are lacking."""
    free = sorted(number for number, owner in owners.items() if owner is None)
    return free[: max(0, share - len(mine))]
