"""SQL with parameters: split into statements, with values as literals wherever they stand."""

import re
from collections.abc import Iterator, Mapping
from datetime import date
from typing import Any

from lineagegraph.model.pipelines.parameters import as_text

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
    return [(text.strip(), bound) for text, bound in found if _says_something(text)]


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
        said = given.isoformat() if isinstance(given, date) else as_text(given)
        if quote == "`":
            return said.replace("`", "``")
        return said.replace("\\", "\\\\").replace(quote, f"\\{quote}")

    return _IN_TEXT.sub(value, text)


def _says_something(text: str) -> bool:
    return any(part[0].strip() for part in _PARTS.finditer(text) if part.lastgroup != "comment")
