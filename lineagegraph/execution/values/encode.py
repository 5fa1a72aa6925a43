"""Encode the value that a task returned, where its function was called."""

import json
import sys
from dataclasses import replace
from typing import Any

import msgspec

from lineagegraph.errors import ValueRefused
from lineagegraph.execution.outcome import Outcome
from lineagegraph.model.runs.encoded import REFUSED, EncodedValue
from lineagegraph.model.runs.values import ARROW, JSON

LARGEST = 256 * 1024 * 1024
_SHAPE_CHARACTERS = 500


def encode_value(value: Any) -> EncodedValue:
    """Return a value as bytes: an Arrow table as its IPC stream, anything else as JSON.

    Raises `ValueRefused` if it is neither; no value is pickled.
    """
    found = _table(value) or EncodedValue(JSON, _json(value))
    if len(found.data) > LARGEST:
        raise ValueRefused(
            f"the returned value has {len(found.data):,} bytes, at most {LARGEST:,} are kept: "
            "write it to a file or table, and return its name"
        )
    return found


def _json(value: Any) -> bytes:
    try:
        plain = msgspec.to_builtins(value, str_keys=True)
        text = json.dumps(plain, allow_nan=False, ensure_ascii=False, separators=(",", ":"))
        # Of equal keys the JSON of the value has all, and `plain` only the last.
        if len(msgspec.json.encode(value)) != len(msgspec.json.encode(plain)):
            raise ValueError("keys of a dict are the same text, such as 1 and '1'")
        return text.encode()
    except (TypeError, ValueError, RecursionError, msgspec.MsgspecError) as error:
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise ValueRefused(
            f"the returned {type(value).__name__} is neither JSON nor an Arrow table ({reason}): "
            "return plain data, a dataclass, a msgspec struct, or a pyarrow.Table"
        ) from None


def _table(value: Any) -> EncodedValue | None:
    # A value can only be a table if its code has imported the library.
    arrow: Any = sys.modules.get("pyarrow")
    if arrow is None or not isinstance(value, arrow.Table | arrow.RecordBatch):
        return None
    sink = arrow.BufferOutputStream()
    with arrow.ipc.new_stream(sink, value.schema) as stream:
        stream.write(value)
    columns = ", ".join(f"{field.name}: {field.type}" for field in value.schema)
    shape = f"{value.num_rows:,} rows ({columns})"[:_SHAPE_CHARACTERS]
    return EncodedValue(ARROW, sink.getvalue().to_pybytes(), shape)


class ReturnedValue:
    """Takes the value that an attempt returns."""

    def __init__(self) -> None:
        self._value: EncodedValue | None = None

    def take(self, value: Any, *, is_taken: bool, is_choice: bool = False) -> None:
        """Encode a value; raise `ValueRefused` if that fails and another task takes it.

        Of a choice that cannot be encoded the type is kept: it is no name of a task.
        """
        if value is None and not is_taken:
            return
        try:
            self._value = encode_value(value)
        except ValueRefused:
            if is_choice:
                self._value = EncodedValue(REFUSED, b"", type(value).__name__)
            elif is_taken:
                raise

    def on(self, outcome: Outcome) -> Outcome:
        """Return an outcome with the value."""
        return replace(outcome, returned=self._value)
