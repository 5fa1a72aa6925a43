"""The Cypher files and their texts."""

import re
from functools import cache
from pathlib import Path

from lineagegraph.errors import NotFound

# What stands in quotes, backticks and comments names no parameter.
_NAMED = re.compile(
    r"""'(?:\\.|[^'\\])*' | "(?:\\.|[^"\\])*" | `[^`]*` | //[^\n]* | /\*.*?\*/ | \$(\w+)""",
    re.VERBOSE | re.DOTALL,
)
READING = ("get_", "list_", "count_", "walk_", "due_")


@cache
def cypher_folder() -> Path:
    """Return the folder of the Cypher files: inside the wheel, or beside the package."""
    inside = Path(__file__).parents[1] / "cypher"
    return inside if inside.is_dir() else inside.parents[1] / "cypher"


@cache
def statement(name: str) -> str:
    """Return the text of the statement `room/folder/stem`, or of unique last parts of that name.

    Raises `NotFound`.
    """
    try:
        return (cypher_folder() / f"{name}.cypher").read_text(encoding="utf-8")
    except FileNotFoundError:
        (*matches,) = (known for known in list_statements() if known.endswith(f"/{name}"))
    if len(matches) != 1:
        which = f" alone: {', '.join(matches)}" if matches else ""
        raise NotFound(f"no statement {name!r}{which}: `lineagegraph cypher` lists them")
    return statement(matches[0])


def summary(name: str) -> str:
    """Return the sentence in a statement's first line."""
    return statement(name).splitlines()[0].removeprefix("// ")


def list_statements() -> list[str]:
    """Return the names of all statements but the schema's, sorted."""
    root = cypher_folder()
    names = (path.relative_to(root).with_suffix("").as_posix() for path in root.rglob("*.cypher"))
    return sorted(name for name in names if not name.startswith("schema/"))


def list_readable() -> list[str]:
    """Return the names of the statements that only read, which people can ask."""
    return [name for name in list_statements() if name.rpartition("/")[2].startswith(READING)]


def parameters_of(text: str) -> list[str]:
    """Return the names of a query's parameters, each once."""
    return list(dict.fromkeys(found[1] for found in _NAMED.finditer(text) if found[1]))
