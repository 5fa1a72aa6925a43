"""Run ids: UUID version 7, which sort by creation time (RFC 9562, section 5.7).

Keys and hashes of the graph have a UUID too, for clients that expect one.
"""

import os
import re
import time
import uuid

_HEX = re.compile(r"[0-9a-f]{32}")


def new_id() -> str:
    """Return a new UUIDv7 as text."""
    millis = time.time_ns() // 1_000_000
    random_bits = int.from_bytes(os.urandom(10), "big")
    value = (millis & (2**48 - 1)) << 80 | random_bits
    value = value & ~(0xF << 76) | (7 << 76)
    value = value & ~(0x3 << 62) | (2 << 62)
    return str(uuid.UUID(int=value))


def derived_id(run_id: str, *names: str) -> str:
    """Return the UUIDv5 of `names` under a run; the same names give the same id."""
    return str(uuid.uuid5(uuid.UUID(run_id), "\x1f".join(names)))


def uuid_of(key: str | None) -> str | None:
    """Return a key or hash of the graph as the UUID that Marquez's clients expect."""
    if not key or not _HEX.match(key):
        return None
    return f"{key[:8]}-{key[8:12]}-{key[12:16]}-{key[16:20]}-{key[20:32]}"


PRODUCER = "https://github.com/lineagegraph/lineagegraph"
