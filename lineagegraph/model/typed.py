"""Values of a type from JSON, in any number of threads.

msgspec prepares a type when it is first used. It breaks the process where two threads do that at
the same time, so here one after the other does.
"""

from threading import Lock
from typing import Any, TypeVar, overload

import msgspec

T = TypeVar("T")
_lock = Lock()
_ready: set[Any] = set()


@overload
def decode_json(text: str | bytes, *, into: type[T]) -> T: ...
@overload
def decode_json(text: str | bytes, *, into: Any) -> Any: ...
def decode_json(text: str | bytes, *, into: Any) -> Any:
    """Return a value of a type; raise `msgspec.DecodeError` where the text is none."""
    _prepare(into)
    return msgspec.json.decode(text, type=into)


@overload
def convert_value(value: object, into: type[T], *, strict: bool = True) -> T: ...
@overload
def convert_value(value: object, into: Any, *, strict: bool = True) -> Any: ...
def convert_value(value: object, into: Any, *, strict: bool = True) -> Any:
    """Return a plain value as a type; raise `msgspec.ValidationError` where it does not fit."""
    _prepare(into)
    return msgspec.convert(value, into, strict=strict)


def _prepare(into: Any) -> None:
    if into not in _ready:
        with _lock:
            msgspec.json.Decoder(into)
            _ready.add(into)
