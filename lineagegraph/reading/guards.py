"""What keeps a file, while it is imported, from ending or doubling the process unnoticed."""

import faulthandler
import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NoReturn

from lineagegraph.authoring.origin import shown
from lineagegraph.authoring.project import is_own

WHERE = signal.SIGUSR1


class Guards:
    """Notes the line that forks Python, and tells of one that ends it.

    A forked copy leaves at once: it would go on with the import as this process does.
    """

    def __init__(self, root: Path, refuse: Callable[[str], None]) -> None:
        self.fork: str | None = None
        self._root = root
        self._refuse = refuse
        self._exit = os._exit
        self._listens = False

    def start(self, trace: int) -> None:
        """Guard the process; `trace` is where it writes its line when it crashes or is asked."""
        self._listens = True
        faulthandler.enable(trace)
        faulthandler.register(WHERE, trace, all_threads=False)
        os.register_at_fork(before=self._note_fork, after_in_child=self._leave)
        os._exit = self._note_exit

    def stop(self) -> None:
        """Let the process do again what it likes."""
        self._listens = False
        os._exit = self._exit

    def _note_fork(self) -> None:
        if self._listens:
            self.fork = self.fork or self._line()

    def _leave(self) -> None:
        if self._listens:
            self._exit(1)

    def _note_exit(self, status: int) -> NoReturn:
        what = f"Python ended with exit status {status} (os._exit) while it was imported"
        self._refuse(f"{self._line()}: {what}")
        self._exit(status)

    def _line(self) -> str:
        frame = sys._getframe(2)
        while frame.f_back is not None and not is_own(Path(frame.f_code.co_filename), self._root):
            frame = frame.f_back
        return f"{shown(frame.f_code.co_filename)}:{frame.f_lineno}"
