"""Whether a process still holds the shards that it writes for."""

from lineagegraph.graph import Transaction
from lineagegraph.scheduling.sensors.poke import Claims
from lineagegraph.store import sensor_shards


def claim_held(tx: Transaction, claims: Claims) -> set[int]:
    """Lock shards until the end of the transaction, and return those that are still held."""
    rows = [{"number": number, "epoch": epoch} for number, epoch in sorted(claims.items())]
    return set(sensor_shards.claim_fences(tx, rows=rows))
