"""SQL as a task: its statements with their parameters, and the table of the last one's rows."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

from lineagegraph.errors import RunError
from lineagegraph.execution.kinds.python_work import cancel_until
from lineagegraph.execution.logs import Log
from lineagegraph.execution.parameters import revive
from lineagegraph.execution.plan import Step
from lineagegraph.execution.sessions import Sessions, task_context
from lineagegraph.model.pipelines.definition import SqlTask
from lineagegraph.model.pipelines.parameters import as_text
from lineagegraph.spark.tables.publish import publish
from lineagegraph.spark.tables.rows import run_rows

_PARTS = re.compile(
    r"""(?P<comment>--[^\n]*|/\*.*?\*/)
    |(?P<quoted>'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|`(?:[^`]|``)*`)
    |(?P<end>;)
    |\{(?P<name>\w+)\}
    |(?P<rest>:\w+|\w+|.)""",
    re.VERBOSE | re.DOTALL,
)
_IN_TEXT = re.compile(r"\{(\w+)\}")


def statements(sql: str, params: Mapping[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    """Return the statements that semicolons separate, each with the values that it binds.

    `{name}` becomes `:name`, which Spark binds as a literal; in quotes it becomes the value's text,
    escaped. `{name}` that is no parameter stays.
    """
    found: list[tuple[str, dict[str, Any]]] = []
    text, bound = "", dict[str, Any]()
    for piece, name in _pieces(sql, params):
        if piece is None:
            found.append((text, bound))
            text, bound = "", {}
            continue
        text += piece
        if name:
            bound[name] = params[name]
    found.append((text, bound))
    return [(text.strip(), bound) for text, bound in found if _has_code(text)]


def _pieces(sql: str, params: Mapping[str, Any]) -> Iterator[tuple[str | None, str | None]]:
    for part in _PARTS.finditer(sql):
        name = part["name"] or (part["rest"] or "").removeprefix(":")
        if part["end"]:
            yield None, None
        elif part["quoted"]:
            yield _fill_quoted(part["quoted"], params), None
        elif name in params and (part["name"] or part["rest"].startswith(":")):
            yield f":{name}", name
        else:
            yield part[0], None


def _fill_quoted(text: str, params: Mapping[str, Any]) -> str:
    quote = text[0]

    def value(found: re.Match[str]) -> str:
        if found[1] not in params:
            return found[0]
        given = params[found[1]]
        text = given.isoformat() if isinstance(given, date) else as_text(given)
        if quote == "`":
            return text.replace("`", "``")
        return text.replace("\\", "\\\\").replace(quote, f"\\{quote}")

    return _IN_TEXT.sub(value, text)


def _has_code(text: str) -> bool:
    return any(part[0].strip() for part in _PARTS.finditer(text) if part.lastgroup != "comment")


@dataclass(frozen=True, slots=True)
class SqlWork:
    """Runs the statements one after the other."""

    step: Step
    task: SqlTask
    sessions: Sessions
    log: Log

    def run(self) -> None:
        """Run all statements; publish the last one's rows, or count them without a target."""
        values = revive(self.step.pipeline.parameters, self.step.params)
        wanted = statements(self.task.sql, values)
        if not wanted:
            raise RunError(f"task {self.step.path}: its SQL has no statement")
        with self.sessions.task(task_context(self.step)):
            session = self.sessions.session()
            for text, bound in wanted[:-1]:
                _run(_sql(session, text, bound))
            self._finish(_sql(session, *wanted[-1]))

    def stop(self, returned: Callable[[float], bool], grace: float) -> None:
        """Cancel its Spark jobs."""
        cancel_until(self.sessions, self.step.run_id, returned, grace)

    def _finish(self, rows: Any) -> None:
        if not rows.columns:
            if self.task.target:
                raise RunError(
                    f"task {self.step.path}: its last statement returns no rows to publish"
                )
            self.log.write("done\n")
        elif self.task.target:
            publish(rows, self.task.target, self.task.mode)
            self.log.write(f"published {self.task.target}\n")
        else:
            self.log.write(f"{run_rows(rows)} rows\n")


def _run(rows: Any) -> None:
    """Compute the rows of a query, as a check may be one; a command has run already."""
    if rows.columns and not rows.isLocal():
        run_rows(rows)


def _sql(session: Any, text: str, bound: dict[str, Any]) -> Any:
    return session.sql(text, args=bound) if bound else session.sql(text)
