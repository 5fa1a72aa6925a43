"""The value that a task returned, as its run keeps it."""

import json
from typing import Any

import msgspec

from lineagegraph.model.typed import decode_json
from lineagegraph.secrets import mask

JSON, ARROW = "json", "arrow"
_SHOWN_CHARACTERS = 2000


class TaskValue(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """JSON text, or the IPC stream of an Arrow table in base64; a large value is in a file."""

    kind: str  # `json` or `arrow`
    size: int  # bytes of the JSON text or of the stream
    sha256: str  # their hash
    text: str | None = None  # the value; None if it is in a file
    file: str | None = None  # path below the folder of logs; None if it is in `text`
    shape: str | None = None  # rows and columns of a table


class TaskInput(msgspec.Struct, frozen=True):
    """The value of a task for an argument of another; `folder` is the folder of logs.

    There is no value if the task did not run, or skipped itself.
    """

    task: str
    value: TaskValue | None
    folder: str


def read_value(text: str | None) -> TaskValue | None:
    """Return the value from the JSON text of a run, None for any other content."""
    try:
        return decode_json(text, into=TaskValue) if text else None
    except msgspec.MsgspecError:
        return None


def shown_value(value: TaskValue) -> Any:
    """Return a value for people, with secrets masked: JSON data, or a description."""
    if value.kind == JSON and value.text is not None and len(value.text) <= _SHOWN_CHARACTERS:
        try:
            return mask(json.loads(value.text))
        except ValueError:
            return "damaged JSON"
    what = f"Arrow table of {value.shape}" if value.kind == ARROW else "JSON"
    where = f" in {value.file}" if value.file else ""
    return f"{what}: {value.size:,} bytes{where}, sha256 {value.sha256[:12]}"
