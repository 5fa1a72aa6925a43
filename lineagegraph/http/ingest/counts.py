"""Counts of events by outcome."""

from typing import NamedTuple


class IngestCounts(NamedTuple):
    """Events written, refused and spooled since the start, and the bytes that are spooled now."""

    written: int
    refused: int
    spooled: int
    spool_bytes: int
