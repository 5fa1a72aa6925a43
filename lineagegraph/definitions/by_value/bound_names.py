"""Which names a file gives its module, told without running it."""

import symtable
from functools import cache
from pathlib import Path

_ANY = ("import *", "def __getattr__", "globals()", "exec(")


def binds(file: Path, name: str) -> bool:
    """Say whether running a file may give its module a name."""
    found = _bound(file) if file.is_file() else frozenset()
    return found is None or name in found


@cache
def _bound(file: Path) -> frozenset[str] | None:
    """Return the names that a file assigns, defines or imports; None if it may be any."""
    content = file.read_bytes()
    text = content.decode(errors="replace")
    if any(sign in text for sign in _ANY):
        return None
    symbols = symtable.symtable(content, str(file), "exec").get_symbols()  # type: ignore[arg-type]
    return frozenset(one.get_name() for one in symbols if one.is_assigned() or one.is_imported())
