"""The completion of names in IPython, and so in every front-end of a kernel."""

import re
import shlex
import sys
from collections.abc import Callable, Iterable
from types import TracebackType
from typing import Any
from weakref import WeakKeyDictionary

from IPython.core.completer import (
    CompletionContext,
    SimpleCompletion,
    SimpleMatcherResult,
    context_matcher,
)
from IPython.core.interactiveshell import InteractiveShell

from lineagegraph.errors import LineagegraphError
from lineagegraph.notebook.completion.names import NameKind
from lineagegraph.notebook.completion.place import NameContext, place_of
from lineagegraph.notebook.session import Session

_MOST = 500
_PLAIN_WORD = re.compile(r"\w+")


class NameMatcher:
    """Completes names for a shell; `magics` gives the session of its magics, if there is one."""

    def __init__(self, shell: InteractiveShell) -> None:
        self._shell = shell
        self.magics: Callable[[], Session | None] = lambda: None

    def install(self) -> None:
        """Let the shell ask here first."""
        first = context_matcher(identifier="lineagegraph.names", priority=100)
        self._shell.Completer.custom_matchers.append(first(lambda about: self._match(about)))

    def _match(self, context: CompletionContext) -> SimpleMatcherResult:
        lines = context.full_text.split("\n")[: context.cursor_line]
        place = place_of("\n".join((*lines, context.text_until_cursor)))
        found = self._complete(place) if place else []
        return {
            "completions": [SimpleCompletion(text, type="text") for text in found],
            "matched_fragment": place.start if place else "",
            "suppress": bool(found),
            "ordered": True,
        }

    def _complete(self, place: NameContext) -> list[str]:
        names = self._names(place)
        return [_written(name, place) for name in _fitting(names, place.start)]

    def _names(self, place: NameContext) -> list[str]:
        variables = self._shell.user_ns
        if place.kind is NameKind.PARAMETER:
            return [name for name in variables if not name.startswith("_")]
        named = variables.get(place.variable) if place.variable else self.magics()
        if not isinstance(named, Session):
            return []
        try:
            return named.names.of(place.kind)
        except LineagegraphError:
            return []


def _fitting(names: Iterable[str], start: str) -> list[str]:
    """Return the names that start so, then those with that somewhere in them."""
    lower = start.lower()
    fit = [name for name in names if lower in name.lower()]
    fit.sort(key=lambda name: not name.lower().startswith(lower))
    return fit[:_MOST]


def _written(name: str, place: NameContext) -> str:
    """Return a name as it is written there."""
    if place.quote:
        return name.replace("\\", "\\\\").replace(place.quote, "\\" + place.quote)
    if place.kind in (
        NameKind.LABEL,
        NameKind.TYPE,
        NameKind.LABEL_OR_TYPE,
        NameKind.PROPERTY,
        NameKind.PARAMETER,
    ):
        return name if _PLAIN_WORD.fullmatch(name) else f"`{name.replace('`', '``')}`"
    return shlex.quote(name)


_RED, _PLAIN = "\x1b[31m", "\x1b[0m"
_prepared: WeakKeyDictionary[InteractiveShell, NameMatcher] = WeakKeyDictionary()


def prepare(shell: InteractiveShell) -> NameMatcher:
    """Let a shell complete names, and show our errors in one line; once is enough."""
    if shell not in _prepared:
        shell.set_custom_exc((LineagegraphError,), _show)
        _prepared[shell] = NameMatcher(shell)
        _prepared[shell].install()
    return _prepared[shell]


def one_line(error: LineagegraphError) -> str:
    """Return an error as notebooks show it."""
    return f"{_RED}{type(error).__name__}{_PLAIN}: {error}"


def _show(
    shell: Any,
    kind: type[LineagegraphError],
    error: LineagegraphError,
    traceback: TracebackType,
    tb_offset: int | None = None,
) -> list[str]:
    """Show one line, and leave the whole to `%tb`."""
    sys.last_type, sys.last_value, sys.last_traceback = kind, error, traceback
    lines = [one_line(error)]
    shell._showtraceback(kind, error, lines)
    return lines
