"""The line that a process was at, from what Python's fault handler writes of it."""

import os
import re
import select
from pathlib import Path

from lineagegraph.definitions.answer import Request
from lineagegraph.definitions.project import is_own

_FRAME = re.compile(r'File "(.+)", line (\d+) in ')
_PAUSE_SECONDS = 0.05


def find_line(trace: int, request: Request, seconds: float) -> str:
    """Return the innermost line of the project that a pipe tells of, else the file's first.

    Waits so many seconds for it to begin.
    """
    root = Path(request.root)
    for name, line in _FRAME.findall(_read(trace, seconds)):
        if is_own(Path(name), root):
            return f"{Path(name).relative_to(root)}:{line}"
    return f"{request.shown}:1"


def _read(trace: int, seconds: float) -> str:
    text = b""
    while select.select([trace], [], [], _PAUSE_SECONDS if text else seconds)[0]:
        chunk = os.read(trace, 1 << 16)
        if not chunk:
            break
        text += chunk
    return text.decode(errors="replace")
