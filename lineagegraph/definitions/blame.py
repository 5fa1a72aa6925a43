"""Which line of the user's files an exception is about."""

import traceback
from pathlib import Path

from lineagegraph.definitions.origin import shown
from lineagegraph.definitions.project import is_own
from lineagegraph.errors import DefinitionError


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
