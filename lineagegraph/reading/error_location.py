"""Which line of the user's files an exception is about."""

import os
import re
import select
import traceback
from pathlib import Path

from lineagegraph.authoring.origin import shown
from lineagegraph.authoring.project import is_own
from lineagegraph.errors import DefinitionError
from lineagegraph.reading.answer import Request


def blame(error: BaseException, file: Path, root: Path) -> str:
    """Return one line: file, line, and what went wrong there."""
    if isinstance(error, DefinitionError):
        return str(error)
    if isinstance(error, SyntaxError) and error.filename:
        return f"{shown(error.filename)}:{error.lineno or 1}: syntax error: {error.msg}"
    where = _line(error, file, root)
    if isinstance(error, SystemExit):
        return f"{where}: the file ends Python (sys.exit({error.code!r})) when it is imported"
    said = " ".join(str(error).split())
    return f"{where}: {type(error).__name__}: {said}"[:1000]


def _line(error: BaseException, file: Path, root: Path) -> str:
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if is_own(Path(frame.filename), root)]
    return f"{shown(own[-1].filename)}:{own[-1].lineno}" if own else f"{shown(str(file))}:1"


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
