"""Start modules of this package as processes, in any folder."""

import sys
from pathlib import Path


def module_command(module: str, *words: str) -> list[str]:
    """Return the command that runs a module.

    A file of the folder, such as a `queue.py` of a project, does not take the place of a module of
    Python or of a library: the process would not start.
    """
    return [sys.executable, "-P", "-m", module, *words]


def search_folder_last() -> None:
    """Let imports also find modules of the working directory, after all others."""
    sys.path.append(str(Path.cwd()))
