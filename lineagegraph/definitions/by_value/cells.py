"""Code that is in no file of a project: a notebook's cells, and what was typed at a prompt."""

import hashlib
import linecache
import marshal
from pathlib import Path
from types import CodeType


class Cells:
    """Names cells by their content, and so keeps them: the same cell has the same name."""

    def __init__(self) -> None:
        self.contents: dict[str, bytes] = {}

    def path(self, code: CodeType) -> str | None:
        """Return where the source of code is kept, if there is one and it is in no file."""
        if Path(code.co_filename).is_file():
            return None
        source = "".join(linecache.getlines(code.co_filename))
        if source:
            return self._keep(source.encode(), "py")
        self._keep(marshal.dumps(_bare(code), 2), "code")
        return None

    def _keep(self, content: bytes, kind: str) -> str:
        path = f"cells/{hashlib.sha256(content).hexdigest()[:16]}.{kind}"
        self.contents[path] = content
        return path


def _bare(code: CodeType) -> CodeType:
    """Return code without where it was; not all Pythons compile the same from the same text."""
    constants = tuple(_bare(one) if isinstance(one, CodeType) else one for one in code.co_consts)
    return code.replace(co_filename="", co_firstlineno=1, co_linetable=b"", co_consts=constants)
