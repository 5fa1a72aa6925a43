"""The task of each execution: by the tag of its thread, or the only task."""

from collections.abc import Callable, Iterable
from threading import Lock

from lineagegraph.spark.context import TaskContext
from lineagegraph.spark.run_events import ApplicationRun

TAG = "lg:"


def tag_of(run_id: str) -> str:
    """Return the job tag of a task run."""
    return f"{TAG}{run_id}"


class Applications:
    """The application runs of one session, by task run; thread-safe.

    `make` makes the application run of a task when Spark first works for it.
    """

    def __init__(self, make: Callable[[TaskContext | None], ApplicationRun]) -> None:
        self._make = make
        self._lock = Lock()
        self._open: dict[str, TaskContext] = {}
        self._runs: dict[str | None, ApplicationRun] = {}
        self._ended: set[str | None] = set()

    def open(self, context: TaskContext) -> None:
        """Let executions be attributed to a task; an attempt has its own application run."""
        with self._lock:
            # A retry has the run id of the attempt that ended.
            if context.run_id in self._ended:
                self._ended.remove(context.run_id)
                del self._runs[context.run_id]
            self._open[context.run_id] = context

    def close(self, run_id: str) -> ApplicationRun | None:
        """End a task; return its application run if Spark worked for it.

        Later actions of its threads stay under that application run.
        """
        with self._lock:
            self._open.pop(run_id, None)
            return self._end(run_id)

    def close_all(self) -> list[ApplicationRun]:
        """End every task; return the application runs that had not ended."""
        with self._lock:
            self._open.clear()
            return [run for run_id in list(self._runs) if (run := self._end(run_id))]

    def open_runs(self) -> list[str]:
        """Return the runs of the tasks that have not ended."""
        with self._lock:
            return list(self._open)

    def knows(self, tags: Iterable[str]) -> bool:
        """Return whether work with these job tags belongs to a running task."""
        with self._lock:
            return any(tag_of(run_id) in tags for run_id in self._open)

    def attribute(self, tags: Iterable[str]) -> tuple[ApplicationRun, bool]:
        """Return the application run of work with these job tags, and whether it is new."""
        with self._lock:
            run_id = self._run_of(set(tags))
            is_new = run_id not in self._runs
            if is_new:
                self._runs[run_id] = self._make(self._open.get(run_id) if run_id else None)
            return self._runs[run_id], is_new

    def _end(self, run_id: str | None) -> ApplicationRun | None:
        if run_id in self._ended or run_id not in self._runs:
            return None
        self._ended.add(run_id)
        return self._runs[run_id]

    def _run_of(self, tags: set[str]) -> str | None:
        for run_id in [*reversed(self._open), *self._runs]:
            if run_id and tag_of(run_id) in tags:
                return run_id
        if any(tag.startswith(TAG) for tag in tags) or len(self._open) != 1:
            return None
        return next(iter(self._open))
