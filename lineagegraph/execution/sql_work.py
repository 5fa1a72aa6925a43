"""SQL as a task: its statements in the run's session, and the table of what the last one gives."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from lineagegraph.errors import RunError
from lineagegraph.execution.logs import Log
from lineagegraph.execution.parameters import revive
from lineagegraph.execution.plan import Step
from lineagegraph.execution.python_work import cancel_until
from lineagegraph.execution.sessions import Sessions, task_context
from lineagegraph.execution.sql_text import statements
from lineagegraph.model.pipelines.definition import SqlTask
from lineagegraph.spark.tables.publish import publish
from lineagegraph.spark.tables.rows import run_rows


@dataclass(frozen=True, slots=True)
class SqlWork:
    """Runs the statements one after the other; all but the last are commands."""

    step: Step
    task: SqlTask
    sessions: Sessions
    log: Log

    def run(self) -> None:
        """Run all, and publish the last one's rows, or count them where there is no target."""
        values = revive(self.step.pipeline.parameters, self.step.params)
        wanted = statements(self.task.sql, values)
        if not wanted:
            raise RunError(f"task {self.step.path}: there is no statement in its SQL")
        with self.sessions.task(task_context(self.step)):
            session = self.sessions.session()
            frames = [_sql(session, text, bound) for text, bound in wanted]
            self._finish(frames[-1])

    def stop(self, returned: Callable[[float], bool], grace: float) -> None:
        """Cancel its Spark jobs."""
        cancel_until(self.sessions, self.step.run_id, returned, grace)

    def _finish(self, rows: Any) -> None:
        if not rows.columns:
            if self.task.target:
                raise RunError(
                    f"task {self.step.path}: its last statement gives no rows to publish"
                )
            self.log.write("done\n")
        elif self.task.target:
            publish(rows, self.task.target, self.task.mode)
            self.log.write(f"published {self.task.target}\n")
        else:
            self.log.write(f"{run_rows(rows)} rows\n")


def _sql(session: Any, text: str, bound: dict[str, Any]) -> Any:
    return session.sql(text, args=bound) if bound else session.sql(text)
