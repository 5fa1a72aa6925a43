"""The magics that query the graph; each calls a method of `Session`."""

from collections.abc import Callable
from typing import Any, TypeVar

from IPython.core.interactiveshell import InteractiveShell
from IPython.core.magic import no_var_expand

from lineagegraph.errors import GraphClosed, GraphUnreachable, QueryInterrupted, WriteRefused
from lineagegraph.graph.statements import statement
from lineagegraph.notebook.magics.words import read_words, split_params, split_target
from lineagegraph.notebook.open_session import connect
from lineagegraph.notebook.parameters import from_variables, require_all
from lineagegraph.notebook.results import Result
from lineagegraph.notebook.session import Session
from lineagegraph.settings import load_settings

T = TypeVar("T")


class GraphMagics:
    """The magics of one notebook, and their connection, which is made when it is first needed."""

    def __init__(self, shell: InteractiveShell) -> None:
        self._shell = shell
        self._session: Session | None = None

    @property
    def connected(self) -> Session | None:
        """The connection, if there is one."""
        return self._session

    @property
    def session(self) -> Session:
        """The connection; it is opened again if the server was down."""
        if self._session is None:
            self._session = connect()
        return self._session

    def connect(self, line: str = "") -> Session:
        """Connect again with the current settings and return the session.

        The previous session stays open, because a variable may hold it.
        """
        load_settings.cache_clear()
        self._session = None
        return self.session

    @no_var_expand
    def cypher(self, line: str, cell: str | None = None) -> Result | None:
        """Ask a query: `%%cypher [name <<] [--write] [--limit N] [--graph|--table] [--params …]`.

        `$name` in it is a variable of the notebook. `%cypher NAME` asks one that comes along.
        """
        variables = self._shell.user_ns
        target, rest = split_target(line)
        rest, given = split_params(rest, variables)
        said = read_words("cypher", rest)
        text = statement(said.query) if cell is None and said.query else cell
        if text is None:
            return self._ask(Session.queries)
        parameters = from_variables(text, variables) | given
        if cell is None:
            require_all(text, parameters)
        result = self._ask(_queried, text, parameters, said.write, said.limit or None)
        result.look = said.look
        if target is None:
            return result
        variables[target] = result
        print(f"{target}: {result.told}")
        return None

    def lineage(self, line: str) -> Result:
        """Draw lineage: `%lineage NODE [--up N] [--down N] [--columns]`."""
        said = vars(read_words("lineage", line))
        return self._ask(Session.lineage, said.pop("node"), **said)

    def runs(self, line: str) -> Result:
        """List the newest runs of a job: `%runs JOB [--day DAY] [--limit N]`."""
        said = read_words("runs", line)
        return self._ask(Session.runs, said.job, limit=said.limit, day=said.day)

    def jobs(self, line: str) -> Result:
        """List the jobs without a parent, or a job and all below it: `%jobs [JOB] [--limit N]`."""
        said = read_words("jobs", line)
        return self._ask(Session.jobs, said.job, limit=said.limit)

    def triggers(self, line: str) -> Result:
        """List the triggers, or the conditions of one: `%triggers [NAME] [--limit N]`."""
        said = read_words("triggers", line)
        return self._ask(Session.triggers, said.name, limit=said.limit)

    def _ask(self, question: Callable[..., T], *about: Any, **more: Any) -> T:
        try:
            return question(self.session, *about, **more)
        except (GraphClosed, GraphUnreachable):
            self._session = None
            raise


def _queried(
    session: Session, text: str, parameters: dict[str, Any], write: bool, limit: int | None
) -> Result:
    try:
        return session.cypher(text, parameters, write=write, limit=limit)
    except WriteRefused as error:
        raise WriteRefused(f"{error}: %%cypher --write lets it") from error
    except KeyboardInterrupt:
        raise QueryInterrupted("interrupted: the server has ended the query") from None
