"""Recognise the JSON files that are batches."""

import re
from pathlib import Path

from lineagegraph.authoring.batch_files.scanner import MOST_BYTES, scan
from lineagegraph.errors import DefinitionError

SUFFIX = ".json"
_HEAD = 64 * 1024
_FIRST = re.compile(rb'(?:\xef\xbb\xbf)?\s*\{\s*"batch"\s*:')
_BOTH = (re.compile(rb'"batch"\s*:'), re.compile(rb'"tasks"\s*:'))


def is_batch_file(file: Path) -> bool:
    """Return whether a JSON file is a batch: an object with a text `batch`, or with `tasks`.

    A broken file counts as a batch if it begins with `batch`, or has `batch` and `tasks`.
    """
    try:
        with file.open("rb") as opened:
            content = opened.read(MOST_BYTES + 1)
    except OSError:
        return False
    if len(content) > MOST_BYTES:
        return _FIRST.match(content[:_HEAD]) is not None
    if b'"batch"' not in content:
        return False
    try:
        top = scan(content, str(file)).value
    except DefinitionError:
        return _FIRST.match(content) is not None or all(one.search(content) for one in _BOTH)
    return isinstance(top, dict) and _is_batch(top)


def _is_batch(top: dict[str, object]) -> bool:
    batch = top.get("batch")
    return batch is not None and ("tasks" in top or isinstance(getattr(batch, "value", None), str))
