"""Which modules every process of an installation has."""

import sys
import sysconfig
from functools import cache
from pathlib import Path
from types import ModuleType

_PLACES = ("stdlib", "platstdlib", "purelib", "platlib")
_PROGRAM = __name__.partition(".")[0]


def is_foreign(module: ModuleType) -> bool:
    """Return whether a module is installed, built in, or of this program."""
    name = module.__name__
    if name == "__main__":
        return False
    if name.partition(".")[0] == _PROGRAM or name in sys.builtin_module_names:
        return True
    file = getattr(module, "__file__", None)
    return file is not None and any(Path(file).is_relative_to(place) for place in _installed())


@cache
def _installed() -> tuple[Path, ...]:
    paths = sysconfig.get_paths()
    return tuple(Path(paths[name]) for name in _PLACES)
