"""Statements of a connection's transaction, which count once it commits."""

from lineagegraph.dataframes.statement_effect import (
    SqlDatabase,
    may_change,
    turn_of,
    without_values,
)
from lineagegraph.dataframes.uses import DataUses, current_uses

_MOST = 200
#: databases whose DDL commits, and what it begins with
_DDL_COMMITS = ("mysql", "oracle")
_DDL = ("create", "drop", "alter", "truncate", "rename")


class OpenTransaction:
    """The transaction of a connection, and the statements that may have written in it."""

    def __init__(self, database: SqlDatabase) -> None:
        self._database = database
        self._kept: dict[str, DataUses] = {}
        self._is_open = False

    def add(self, text: str, *, is_open: bool) -> None:
        """Add a statement: within an open transaction, one that may write counts later."""
        uses = current_uses()
        if uses is None:
            return
        if not is_open or not may_change(text):
            uses.run_statement(self._database, text)
        elif len(self._kept) < _MOST:
            self._kept[without_values(text)] = uses
        if self._database.dialect in _DDL_COMMITS and text.lstrip().lower().startswith(_DDL):
            self.end("commit")

    def end(self, turn: str) -> None:
        """Let the statements count, or forget them."""
        kept, self._kept = self._kept, {}
        for text, uses in kept.items() if turn != "rollback" else ():
            uses.run_statement(self._database, text)

    def take(self, text: str) -> None:
        """Add a statement of a connection that tells all, also those that begin and end."""
        turn = turn_of(text)
        if turn is None:
            self.add(text, is_open=self._is_open)
        elif turn == "begin":
            self._is_open = True
        elif " to " not in f"{text.lower()} ":  # a savepoint
            self._is_open = False
            self.end(turn)
