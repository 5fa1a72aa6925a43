"""A schedule as one sentence: NAME for TYPE PROGRAM … after program P type T status S ….

Parts in brackets are optional:

    NAME for TYPE PROGRAM [version V] [description D]
    after program P type T status S [or S] …
    [namespace N] [application A] [version V] [concurrency N] [not-failing P] [properties JSON]
"""

from collections.abc import Sequence
from typing import Any

import msgspec

from lineagegraph.errors import InvalidRule
from lineagegraph.model.runs.states import RunState
from lineagegraph.model.triggers.check_condition import check_status
from lineagegraph.model.typed import decode_json

_VALUES = {
    "for": "for TYPE PROGRAM",
    "version": "version V",
    "description": "description D",
    "after": "after program P",
    "program": "program P",
    "type": "type T",
    "status": "status S",
    "or": "or S",
    "namespace": "namespace N",
    "application": "application A",
    "concurrency": "concurrency N",
    "not-failing": "not-failing P",
    "properties": "properties JSON",
}
_STARTED = ("version", "description")
_REST = ("namespace", "application", "version", "concurrency", "not-failing", "properties")


class WatchedProgram(msgspec.Struct, frozen=True, kw_only=True):
    """The program that a schedule waits for; None means that of the scheduled one."""

    name: str
    type: str
    statuses: tuple[RunState, ...]
    namespace: str | None = None
    application: str | None = None
    version: str | None = None


class ScheduleSentence(msgspec.Struct, frozen=True, kw_only=True):
    """A parsed sentence; None for a part that is left out."""

    name: str  # name of the schedule
    type: str  # type of the program to start, in CDAP's terms
    program: str  # name of the program to start
    after: WatchedProgram  # the program to wait for, and its states
    version: str | None = None  # version of the application, as CDAP has it
    description: str | None = None  # description for people
    concurrency: int | None = None  # runs of the program at once
    not_failing: str | None = None  # name of a program that must not have failed last
    properties: dict[str, Any] | None = None  # parameters of the started run


def parse_sentence(words: Sequence[str]) -> ScheduleSentence:
    """Return the parts of a sentence.

    Raise `InvalidRule` with the position of the error and the expected words.
    """
    left = _Words(words)
    name = left.value("NAME")
    left.keyword("for")
    type_, program = left.value("TYPE").upper(), left.value("PROGRAM")
    started = left.options(_STARTED, "after")
    left.keyword("program")
    watched = left.value("P")
    left.keyword("type")
    watched_type = left.value("T").upper()
    left.keyword("status")
    statuses = left.statuses()
    rest = left.options(_REST)
    return ScheduleSentence(
        name=name,
        type=type_,
        program=program,
        after=WatchedProgram(
            name=watched,
            type=watched_type,
            statuses=statuses,
            namespace=rest.get("namespace"),
            application=rest.get("application"),
            version=rest.get("version"),
        ),
        version=started.get("version"),
        description=started.get("description"),
        concurrency=_number(rest.get("concurrency")),
        not_failing=rest.get("not-failing"),
        properties=_properties(rest.get("properties")),
    )


class _Words:
    """The words of a sentence; those before `_at` are read."""

    def __init__(self, words: Sequence[str]) -> None:
        self._words = words
        self._at = 0

    def value(self, place: str) -> str:
        """Return the next word, with any value."""
        if self._at == len(self._words):
            raise self._wrong([place])
        self._at += 1
        return self._words[self._at - 1]

    def keyword(self, *allowed: str) -> str:
        """Return the next word, which must be one of the keywords."""
        word = self._peek()
        if word not in allowed:
            raise self._wrong([_VALUES[keyword] for keyword in allowed])
        self._at += 1
        return word

    def options(self, names: Sequence[str], end: str | None = None) -> dict[str, str]:
        """Return the values after keywords, in any order, up to the word `end` or the last."""
        found: dict[str, str] = {}
        while end or self._peek():
            open_ = [name for name in names if name not in found]
            word = self.keyword(*open_, *([end] if end else []))
            if word == end:
                break
            found[word] = self.value(_VALUES[word].rpartition(" ")[2])
        return found

    def statuses(self) -> tuple[RunState, ...]:
        """Return one status, or several with `or` between them."""
        found = [check_status(self.value("S").upper())]
        while self._peek() == "or":
            self._at += 1
            found.append(check_status(self.value("S").upper()))
        return tuple(dict.fromkeys(found))

    def _peek(self) -> str:
        return self._words[self._at].lower() if self._at < len(self._words) else ""

    def _wrong(self, allowed: Sequence[str]) -> InvalidRule:
        *most, last = allowed
        expected = f"{', '.join(most)} or {last}" if most else last
        before = " ".join(self._words[max(0, self._at - 4) : self._at])
        where = f"after {before!r}" if before else "at its beginning"
        got = f"not {self._words[self._at]!r}" if self._peek() else "but the sentence ends"
        return InvalidRule(f"the sentence is wrong {where}: expected {expected}, {got}")


def _number(text: str | None) -> int | None:
    if text is None:
        return None
    if not (text.isascii() and text.isdigit() and len(text) < 10 and int(text) > 0):
        raise InvalidRule(f"concurrency {text!r}: write the number of runs at once, such as 1")
    return int(text)


def _properties(text: str | None) -> dict[str, Any] | None:
    if text is None:
        return None
    try:
        return decode_json(text, into=dict[str, Any])
    except (msgspec.DecodeError, RecursionError) as error:
        raise InvalidRule(
            f"properties {text[:80]!r}: write a JSON object, such as '{{\"month\": 2}}' ({error})"
        ) from None
