"""The driver of a Python file that a task submits: `submitted_program.py FILE ARGUMENTS`.

`spark-submit` runs it in place of the file, so that the file's Spark work is captured.
"""

import runpy
import sys
from contextlib import ExitStack
from pathlib import Path
from threading import Lock
from typing import Any

from lineagegraph.execution.kinds.kept_events import KeptEvents
from lineagegraph.execution.kinds.sent_events import SentEvents
from lineagegraph.spark.adopted_session import AdoptedSession, start_session
from lineagegraph.spark.builder import building
from lineagegraph.spark.connect.tasks import capturing
from lineagegraph.spark.gateway import is_connect


class _Driver:
    def __init__(self, stack: ExitStack, events: KeptEvents | SentEvents) -> None:
        self._events = events
        self._stack = stack
        self._captured: Any = None
        self._lock = Lock()
        stack.enter_context(capturing(self._events.context, self._events.keep))

    def start(self, options: dict[str, str]) -> Any:
        """Return the session that these options make, which is captured."""
        session = start_session(options)
        with self._lock:
            # Requests to a Connect server are captured already, of any session.
            if not is_connect(session) and session.sparkContext is not self._captured:
                self._capture(session)
        return session

    def _capture(self, session: Any) -> None:
        self._captured = session.sparkContext
        own = AdoptedSession(session, self._events.keep, captures_untagged=True)
        self._stack.callback(own.stop)
        self._stack.enter_context(own.whole(self._events.context))
        own.session()


def run(words: list[str], events: KeptEvents | SentEvents) -> None:
    """Run a file with arguments as `__main__`, as Python runs it."""
    file = words[0]
    sys.argv = words
    sys.path[0] = str(Path(file).parent)
    with ExitStack() as stack:
        stack.callback(events.close)
        stack.enter_context(building(_Driver(stack, events).start))
        try:
            runpy.run_path(file, run_name="__main__")
        except SystemExit as end:
            if end.code:
                raise


if __name__ == "__main__":
    run(sys.argv[1:], KeptEvents())
