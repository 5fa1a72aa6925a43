"""The tasks whose Spark Connect requests are captured."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager

from lineagegraph.errors import RunKilled
from lineagegraph.model.runs.spark_cancel import is_spark_cancel
from lineagegraph.model.runs.states import EventType
from lineagegraph.spark.capture import Emit
from lineagegraph.spark.connect.calls import following
from lineagegraph.spark.connect.capture import ConnectCapture
from lineagegraph.spark.context import TaskContext
from lineagegraph.spark.thread_tags import passing_on
from lineagegraph.spark.trimming import trimmers

Outcome = Callable[[TaskContext, BaseException], EventType]


def outcome_of(context: TaskContext, error: BaseException) -> EventType:
    """Return how a task ended with an error."""
    killed = isinstance(error, RunKilled | KeyboardInterrupt)
    return EventType.ABORT if killed or is_spark_cancel(str(error)) else EventType.FAIL


def capturing(context: TaskContext, emit: Emit) -> AbstractContextManager[None]:
    """Capture the requests of this thread, and of threads that it starts, to any server."""
    return ConnectTasks("spark", trimmers(""), emit).task(context, outcome_of)


class ConnectTasks:
    """The captures of tasks; `name` is the application's own name."""

    def __init__(self, name: str, trimmers: list[str], emit: Emit) -> None:
        self._name = name
        self._trimmers = tuple(trimmers)
        self._emit = emit
        self._open: dict[str, ConnectCapture] = {}

    @contextmanager
    def task(self, context: TaskContext, outcome: Outcome) -> Iterator[None]:
        """Capture the requests of this thread, and of threads that it starts."""
        capture = ConnectCapture(context, self._name, self._trimmers, self._emit)
        self._open[context.run_id] = capture
        try:
            with passing_on(lambda: following(capture)), following(capture):
                yield
        except BaseException as error:
            capture.close(outcome(context, error), error)
            raise
        else:
            capture.close(EventType.COMPLETE)
        finally:
            self._open.pop(context.run_id, None)

    def cancel(self, run_id: str) -> None:
        """Interrupt the operations of a task."""
        if capture := self._open.get(run_id):
            capture.cancel()
