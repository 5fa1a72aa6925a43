"""Typed values from JSON and MessagePack, safe in any number of threads.

msgspec prepares a type when it is first used. It crashes the process if two threads do so at the
same time, so a lock serialises them here.
"""

import json
from datetime import datetime
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
    """Return a value of a type; raise `msgspec.DecodeError` for invalid text."""
    prepare_type(into)
    return msgspec.json.decode(text, type=into)


@overload
def decode_msgpack(content: bytes | bytearray, *, into: type[T]) -> T: ...
@overload
def decode_msgpack(content: bytes | bytearray, *, into: Any) -> Any: ...
def decode_msgpack(content: bytes | bytearray, *, into: Any) -> Any:
    """Return a value of a type; raise `msgspec.DecodeError` for invalid content."""
    prepare_type(into)
    return msgspec.msgpack.decode(content, type=into)


@overload
def convert_value(value: object, into: type[T], *, strict: bool = True) -> T: ...
@overload
def convert_value(value: object, into: Any, *, strict: bool = True) -> Any: ...
def convert_value(value: object, into: Any, *, strict: bool = True) -> Any:
    """Return a plain value as a type; raise `msgspec.ValidationError` if it does not fit."""
    prepare_type(into)
    return msgspec.convert(value, into, strict=strict)


def parse_time(text: str) -> datetime:
    """Return a time in ISO 8601; raise `ValueError` for other text.

    Digits after the microseconds round it, as they round the times of events.
    """
    try:
        return convert_value(text, datetime)
    except msgspec.ValidationError:
        return datetime.fromisoformat(text)


def refuse_nan(value: object) -> None:
    """Raise `ValueError` for a value with `nan` or an infinite number: msgspec writes null."""
    json.dumps(msgspec.to_builtins(value, str_keys=True), allow_nan=False)


def prepare_type(into: Any) -> None:
    """Prepare a type for use; raise `TypeError` for one that msgspec cannot decode."""
    if into not in _ready:
        with _lock:
            msgspec.json.Decoder(into)
            _ready.add(into)


def check_storable(value: object) -> None:
    """Raise `ValueError` for JSON data that cannot be stored or sent to other processes."""
    try:
        msgspec.msgpack.encode(value)
    except OverflowError:
        raise ValueError(f"integers have at most 64 bits, got {repr(value)[:100]}") from None
    except UnicodeEncodeError:
        raise ValueError(f"text has to be Unicode, got {repr(value)[:100]}") from None
