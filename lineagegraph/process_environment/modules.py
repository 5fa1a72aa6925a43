"""Start modules of this package as processes, in any folder."""

import sys
from contextlib import suppress
from pathlib import Path


def module_command(module: str, *words: str) -> list[str]:
    """Return the command that runs a module.

    A file of the folder, such as a `queue.py` of a project, does not take the place of a module of
    Python or of a library: the process would not start.
    """
    return [sys.executable, "-P", "-m", module, *words]


def search_folder() -> None:
    """Let imports also find modules of the working directory, after those of Python itself.

    It comes before libraries, as some bring a package named `tests`; those that the process has
    loaded by now stay.
    """
    libraries = (at for at, entry in enumerate(sys.path) if entry.endswith("-packages"))
    # The folder may be deleted under a daemon: that of a release, after the next one.
    with suppress(FileNotFoundError):
        sys.path.insert(next(libraries, len(sys.path)), str(Path.cwd()))
