"""A returned value as bytes, on its way to its run."""

import msgspec

#: of a choice that could not be encoded; `shape` is its type
REFUSED = "refused"


class EncodedValue(msgspec.Struct, frozen=True):
    """JSON text or the IPC stream of an Arrow table; `shape` is the table's rows and columns."""

    kind: str
    data: bytes
    shape: str | None = None
