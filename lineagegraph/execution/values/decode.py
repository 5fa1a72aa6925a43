"""Read the values of other tasks for the arguments of a function."""

from base64 import b64decode
from collections.abc import Callable, Mapping
from hashlib import sha256
from pathlib import Path
from types import UnionType
from typing import Annotated, Any, Union, get_args, get_origin, is_typeddict

import msgspec

from lineagegraph.errors import ValueRefused
from lineagegraph.model.pipelines.annotations import argument_type
from lineagegraph.model.runs.values import JSON, TaskInput, TaskValue
from lineagegraph.model.typed import decode_json


def read_inputs(function: Callable[..., Any], inputs: Mapping[str, TaskInput]) -> dict[str, Any]:
    """Return the arguments of a function that are values of other tasks, in their stated types.

    Raises `ValueRefused` if a value is gone or damaged, or is not of the argument's type.
    """
    return {name: _argument(function, name, one) for name, one in inputs.items()}


def _argument(function: Callable[..., Any], name: str, given: TaskInput) -> Any:
    if given.value is None:
        return None
    data = _bytes(given, given.value)
    if given.value.kind != JSON:
        table = _table(data)
        if not _takes(function, name, type(table)):
            raise ValueRefused(
                f"argument {name}: the value that task {given.task} returned does not fit: it is "
                "a pyarrow.Table"
            )
        return table
    try:
        return decode_json(data, into=argument_type(function, name))
    except (msgspec.MsgspecError, TypeError, NameError) as error:
        raise ValueRefused(
            f"argument {name}: the value that task {given.task} returned does not fit: {error}"
        ) from None


def _takes(function: Callable[..., Any], name: str, table: type) -> bool:
    """Return whether an argument may be a table; one whose type cannot be told may."""
    try:
        stated = argument_type(function, name)
    except (TypeError, NameError):
        return True
    return _includes(stated, table)


def _includes(stated: Any, table: type) -> bool:
    origin = get_origin(stated)
    if origin is Annotated:
        return _includes(get_args(stated)[0], table)
    if origin in (Union, UnionType):
        return any(_includes(one, table) for one in get_args(stated))
    kind = origin or stated
    if kind is Any or not isinstance(kind, type):
        return True
    try:
        return issubclass(table, kind)
    except TypeError:
        # A protocol; only a `TypedDict` is never a table.
        return not is_typeddict(kind)


def _bytes(given: TaskInput, value: TaskValue) -> bytes:
    data = _file(given, value.file) if value.text is None else _kept(value.kind, value.text)
    if len(data) != value.size or sha256(data).hexdigest() != value.sha256:
        raise ValueRefused(
            f"the value that task {given.task} returned is damaged: run {given.task} again"
        )
    return data


def _kept(kind: str, text: str) -> bytes:
    return text.encode() if kind == JSON else b64decode(text)


def _file(given: TaskInput, name: str | None) -> bytes:
    folder = Path(given.folder).resolve()
    file = (folder / (name or "")).resolve()
    # The name came by an event, which may state any.
    if not file.is_relative_to(folder):
        raise ValueRefused(f"the value of task {given.task} is not below {folder}: {file}")
    try:
        return file.read_bytes()
    except OSError as error:
        raise ValueRefused(
            f"the value that task {given.task} returned cannot be read on this host "
            f"({error.strerror}: {file}): run {given.task} again"
        ) from None


def _table(data: bytes) -> Any:
    # Large, and most tasks take no table.
    from pyarrow import ipc

    with ipc.open_stream(data) as stream:
        return stream.read_all()
