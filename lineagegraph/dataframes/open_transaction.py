"""Statements of a connection's transaction, which count once it commits."""

from itertools import islice

from lineagegraph.dataframes.statement_effect import SqlDatabase, may_change, without_values
from lineagegraph.dataframes.turns import SqlTurn, split_turns, turn_of
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
        # Each has the number of statements that were kept before it.
        self._savepoints: list[tuple[str, int]] = []
        self._is_opened_by_savepoint = False

    def is_idle(self) -> bool:
        """Return whether nothing waits, and no task would note more."""
        return not self._kept and current_uses() is None

    def take(self, text: str, *, is_open: bool | None = None) -> None:
        """Take a text that ran, and the turns of its statements.

        `is_open` tells whether its first statement ran in a transaction; by default the turns do.
        """
        if is_open is not None:
            self._is_open = is_open
        for statement in split_turns(text):
            if turn := turn_of(statement):
                self._turn(turn)
            else:
                self._add(statement)

    def end(self, turn: str) -> None:
        """Let the statements count, or forget them."""
        kept, self._kept = self._kept, {}
        self._savepoints.clear()
        self._is_open = self._is_opened_by_savepoint = False
        for text, uses in kept.items() if turn != "rollback" else ():
            uses.run_statement(self._database, text)

    def _add(self, text: str) -> None:
        """Add a statement: within an open transaction, one that may write counts later."""
        if uses := current_uses():
            if not self._is_open or not may_change(text):
                uses.run_statement(self._database, text)
            elif len(self._kept) < _MOST:
                self._kept[without_values(text)] = uses
        if self._database.dialect in _DDL_COMMITS and text.lstrip().lower().startswith(_DDL):
            self.end("commit")

    def _turn(self, turn: SqlTurn) -> None:
        if turn.kind == "begin":
            self._is_open = True
        elif turn.kind == "savepoint":
            self._is_opened_by_savepoint |= not self._is_open
            self._is_open = True
            self._savepoints.append((turn.name, len(self._kept)))
        elif turn.kind == "release":
            self._release(turn.name)
        elif turn.kind == "back":
            self._go_back(turn.name)
        else:
            self.end(turn.kind)

    def _release(self, name: str) -> None:
        position = self._position(name)
        if position is None:
            return
        del self._savepoints[position:]
        if not self._savepoints and self._is_opened_by_savepoint:
            self.end("commit")

    def _go_back(self, name: str) -> None:
        """Forget what a savepoint undoes; one that is not known is older than all that waits."""
        position = self._position(name)
        kept = 0 if position is None else self._savepoints[position][1]
        del self._savepoints[0 if position is None else position + 1 :]
        self._kept = dict(islice(self._kept.items(), kept))

    def _position(self, name: str) -> int | None:
        """Return the position of the last savepoint of a name."""
        found = [position for position, one in enumerate(self._savepoints) if one[0] == name]
        return found[-1] if found else None
