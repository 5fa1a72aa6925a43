"""JSON parser that keeps the place of each value and refuses duplicate keys."""

import json
import re
from bisect import bisect_right
from json import JSONDecodeError
from typing import Any, NoReturn

from lineagegraph.authoring.batch_files.node import JsonNode
from lineagegraph.authoring.origin import Origin
from lineagegraph.errors import DefinitionError

DEEPEST = 40
MOST_BYTES = 4 * 1024 * 1024
_SPACE = re.compile(r"[ \t\n\r]*")
_NEVER = re.compile("[\ud800-\udfff\0]")
_PLAIN = re.compile(r"\w+")


def scan(content: bytes, file: str) -> JsonNode:
    """Parse a JSON file; raise `DefinitionError` with line and column if it is not valid."""
    top = Origin(file, 1, file, 1)
    if len(content) > MOST_BYTES:
        raise DefinitionError(f"{top}: the file has more than {MOST_BYTES:,} bytes: split it")
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        column = error.start - content.rfind(b"\n", 0, error.start)
        where = Origin(file, line, file, column)
        raise DefinitionError(f"{where}: not JSON: the text is not UTF-8") from None
    return _Scanner(text, file).scan()


class _Scanner:
    def __init__(self, text: str, file: str) -> None:
        self._text = text
        self._file = file
        self._at = 0
        self._lines = [0, *(found.end() for found in re.finditer("\n", text))]
        self._decoder = json.JSONDecoder(parse_constant=_refuse)

    def scan(self) -> JsonNode:
        self._skip()
        node = self._value("", self._at, 0)
        self._skip()
        if self._at < len(self._text):
            self._fail("there is text after the end of the JSON value")
        return node

    def _value(self, path: str, place: int, depth: int) -> JsonNode:
        """Read the value that begins here; `place` is reported as its position."""
        origin = self._origin(place, path)
        if depth > DEEPEST:
            raise DefinitionError(f"{origin}: is nested more than {DEEPEST} levels deep")
        match self._next():
            case "{":
                return JsonNode(self._object(path, depth), origin)
            case "[":
                return JsonNode(self._list(path, depth), origin)
        return JsonNode(self._scalar(), origin)

    def _object(self, path: str, depth: int) -> dict[str, JsonNode]:
        found: dict[str, JsonNode] = {}
        while self._goes_on("}", found):
            place = self._at
            if self._next() != '"':
                self._fail("expected a key in double quotes")
            key = self._scalar()
            below = _below(path, key)
            if key in found:
                other, origin = found[key].origin.line, self._origin(place, below)
                raise DefinitionError(
                    f"{origin}: is given twice (the first is on line {other}): leave one out"
                )
            self._skip()
            self._expect(":")
            self._skip()
            found[key] = self._value(below, place, depth + 1)
        return found

    def _list(self, path: str, depth: int) -> list[JsonNode]:
        found: list[JsonNode] = []
        while self._goes_on("]", found):
            found.append(self._value(f"{path}[{len(found)}]", self._at, depth + 1))
        return found

    def _goes_on(self, end: str, found: Any) -> bool:
        """Go to the next part of an object or list, if there is one."""
        if not found:
            self._at += 1
        self._skip()
        if self._next() == end:
            self._at += 1
            return False
        if found:
            self._expect(",", f"or {end!r} ")
            self._skip()
            if self._next() == end:
                self._fail(f"a comma stands before {end!r}")
        return True

    def _scalar(self) -> Any:
        start = self._at
        try:
            value, self._at = self._decoder.raw_decode(self._text, start)
        except JSONDecodeError as error:
            self._at = error.pos
            self._fail(f"{error.msg[:1].lower()}{error.msg[1:]}")
        except ValueError as error:
            self._fail(str(error).partition(";")[0])
        if isinstance(value, str) and (unfit := _NEVER.search(value)):
            self._at = start
            self._fail(f"{unfit[0]!a} is not allowed in a text")
        return value

    def _expect(self, sign: str, alternative: str = "") -> None:
        if self._next() != sign:
            self._fail(f"{sign!r} {alternative}is expected here")
        self._at += 1

    def _next(self) -> str:
        return self._text[self._at : self._at + 1]

    def _skip(self) -> None:
        found = _SPACE.match(self._text, self._at)
        self._at = found.end() if found else self._at

    def _fail(self, message: str) -> NoReturn:
        raise DefinitionError(f"{self._origin(self._at, '')}: not JSON: {message}")

    def _origin(self, at: int, path: str) -> Origin:
        line = bisect_right(self._lines, at)
        return Origin(self._file, line, self._file, at - self._lines[line - 1] + 1, path)


def _below(path: str, key: str) -> str:
    if not _PLAIN.fullmatch(key):
        return f"{path}[{json.dumps(key, ensure_ascii=False)}]"
    return f"{path}.{key}" if path else key


def _refuse(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a number")
