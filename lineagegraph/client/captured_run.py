"""Plain cells as a run: what a block does with data is captured under a job of its name."""

import linecache
import sys
import traceback
from asyncio import CancelledError
from contextlib import ExitStack
from threading import get_ident
from types import TracebackType
from typing import Any, Self

from lineagegraph.client.connected_graph import default_graph
from lineagegraph.client.held_block import HeldBlock
from lineagegraph.client.in_kernel import end_turn, take_turn
from lineagegraph.errors import RunError, RunKilled
from lineagegraph.execution.outcome import PASSED, EndReason, Outcome, killed
from lineagegraph.execution.used import TaskUses
from lineagegraph.model.runs.spark_cancel import is_spark_cancel
from lineagegraph.model.runs.states import RunState
from lineagegraph.settings import load_settings
from lineagegraph.spark.adopted_session import session_here, start_session
from lineagegraph.spark.builder import building
from lineagegraph.spark.connect.tasks import capturing
from lineagegraph.spark.gateway import is_interrupt, note_dead_jvm
from lineagegraph.spark.session_kinds import AnySessions, adopted
from lineagegraph.text import describe_error

_CANCELLATIONS = (CancelledError, RunKilled)


def run(name: str, *, spark: Any = None) -> "CapturedRun":
    """Return a block that is a run of a job: `with lg.run("adhoc.exploration"):`.

    Spark's work inside is captured: in the session `spark`, that of this process, or the one that
    the block starts. So is what pandas, polars, DuckDB and SQL read and write. The run keeps the
    text of the cell or file with this call.
    """
    code = "".join(linecache.getlines(sys._getframe(1).f_code.co_filename))
    return CapturedRun(name, code, spark)


class CapturedRun:
    """A block of code as a run of a job; one at a time in a process.

    An exception ends the run as FAILED, an interrupt or a cancellation as KILLED. `begin` and `end`
    do the same for code that no `with` block can enclose, such as several cells.
    """

    def __init__(self, name: str, code: str, spark: Any) -> None:
        self.name = name
        self._code = code
        self._spark = spark
        self._stack = ExitStack()
        self._block: HeldBlock | None = None
        self._session: AnySessions | None = None
        self._cancelled: str | None = None
        self._used = TaskUses((load_settings().home,))

    @property
    def run_id(self) -> str:
        """The id of the run, once it has begun."""
        return self._begun().run_id

    def begin(self) -> Self:
        """Begin the run."""
        if self._block is not None:
            raise RunError(f"the run of {self.name} has already begun: create another one")
        take_turn()
        try:
            self._block = HeldBlock(
                default_graph(), load_settings(), self.name, self._code, self._cancel
            )
        except BaseException:
            end_turn()
            raise
        try:
            self._block.begin()
            self._capture()
        except BaseException as error:
            self.end(error)
            raise
        return self

    def end(self, error: BaseException | None = None) -> None:
        """End the run, as COMPLETED unless there is an error."""
        note_dead_jvm(error)
        block, outcome = self._begun(), self._outcome(error)
        try:
            self._leave(error)
        finally:
            self._block = None
            end_turn()
            block.end(self._used.on(outcome))

    def __enter__(self) -> Self:
        return self.begin()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        self.end(error)
        if is_interrupt(error) and not isinstance(error, KeyboardInterrupt):
            raise KeyboardInterrupt from error

    def _capture(self) -> None:
        block = self._begun()
        self._stack.enter_context(self._used.receiving())
        self._stack.enter_context(capturing(block.context, block.report))
        if session := self._spark or session_here():
            self._adopt(session)
            return
        thread = get_ident()

        def start(options: dict[str, str]) -> Any:
            session = start_session(options)
            if get_ident() == thread and self._session is None:
                self._adopt(session)
            return session

        self._stack.enter_context(building(start))

    def _adopt(self, session: Any) -> None:
        block = self._begun()
        self._session = adopted(session, block.report, captures_untagged=True)
        self._stack.callback(self._session.stop)
        self._stack.enter_context(self._session.task(block.context))
        self._session.session()

    def _leave(self, error: BaseException | None) -> None:
        if self._session and _ends_the_waiting(error):
            # An interrupt ends the waiting for Spark; its job goes on until it is cancelled.
            self._session.cancel(self.run_id)
        self._stack.__exit__(type(error) if error else None, error, None)

    def _cancel(self, reason: str) -> None:
        self._cancelled = reason
        if self._session:
            self._session.cancel(self.run_id)

    def _outcome(self, error: BaseException | None) -> Outcome:
        if self._cancelled:
            return killed(self._cancelled)
        if _ends_the_waiting(error) or is_spark_cancel(str(error)):
            return killed(EndReason.CANCELLED)
        if error is None:
            return PASSED
        message = describe_error(error)
        trace = "".join(traceback.format_exception(error))
        return Outcome(RunState.FAILED, EndReason.USER_CODE, message, trace)

    def _begun(self) -> HeldBlock:
        if self._block is None:
            raise RunError(f"the run of {self.name} is not under way: call begin()")
        return self._block


def _ends_the_waiting(error: BaseException | None) -> bool:
    return isinstance(error, _CANCELLATIONS) or is_interrupt(error)
