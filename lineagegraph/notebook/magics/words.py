"""Options and arguments of the magics."""

import ast
import json
import re
import shlex
from argparse import Namespace
from collections.abc import Mapping
from typing import Any

from IPython.core.error import UsageError
from IPython.core.magic_arguments import MagicArgumentParser

_ASSIGNED = re.compile(r"\s*([^\W\d]\w*)\s*<<\s*(.*)", re.DOTALL)
_PARAMS = re.compile(r"(?:^|\s)--params\s+(.*)", re.DOTALL)
_MOST_ROWS = 10_000


def _cypher() -> MagicArgumentParser:
    parser = MagicArgumentParser("%%cypher")
    parser.add_argument("query", nargs="?", help="A query that comes with lineagegraph.")
    parser.add_argument("--write", action="store_true", help="Let the query change the graph.")
    parser.add_argument("--limit", type=int, default=_MOST_ROWS, help="Rows to fetch; 0: all.")
    looks = parser.add_mutually_exclusive_group()
    looks.add_argument("--graph", dest="look", action="store_const", const="graph")
    looks.add_argument("--table", dest="look", action="store_const", const="table")
    return parser


def _lineage() -> MagicArgumentParser:
    parser = MagicArgumentParser("%lineage")
    parser.add_argument("node", help="job:NAMESPACE:NAME, dataset:NAMESPACE:NAME, a name; #COLUMN.")
    parser.add_argument("--up", type=int, help="Edges to follow; all without it.")
    parser.add_argument("--down", type=int, help="Edges to follow; all without it.")
    parser.add_argument("--columns", action="store_true", help="From column to column.")
    parser.add_argument("--indirect", action="store_true", help="Columns that only filter as well.")
    parser.add_argument("--level", choices=("pipeline", "task"), help="Show these only.")
    parser.add_argument("--at", help="As it was at an ISO 8601 time; local without a zone.")
    return parser


def _runs() -> MagicArgumentParser:
    parser = MagicArgumentParser("%runs")
    parser.add_argument("job")
    parser.add_argument("--limit", type=int, default=20)
    parser.add_argument("--day", help="As 2026-01-31, tuesday or yesterday; all without it.")
    return parser


def _list(magic: str, what: str, most: int) -> MagicArgumentParser:
    parser = MagicArgumentParser(magic)
    parser.add_argument(what, nargs="?")
    parser.add_argument("--limit", type=int, default=most, help="Rows to list.")
    return parser


def _pipeline() -> MagicArgumentParser:
    parser = MagicArgumentParser("%%pipeline")
    parser.add_argument("--run", action="store_true", help="Run it too, and wait for its end.")
    return parser


PARSERS = {
    "cypher": _cypher(),
    "lineage": _lineage(),
    "runs": _runs(),
    "jobs": _list("%jobs", "job", 500),
    "triggers": _list("%triggers", "name", 1000),
    "pipeline": _pipeline(),
}


def read_words(magic: str, line: str) -> Namespace:
    """Return the options of a line; values with spaces are quoted."""
    try:
        words = shlex.split(line)
    except ValueError as error:
        advice = "put a name with a quote in it in quotes of the other kind"
        raise UsageError(f"{error}: {advice}") from None
    return PARSERS[magic].parse_args(words)


def split_target(line: str) -> tuple[str | None, str]:
    """Return the variable of `name << …`, and the rest."""
    found = _ASSIGNED.match(line)
    return (found[1], found[2]) if found else (None, line)


def split_params(line: str, variables: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
    """Return a line without `--params …`, which goes to its end, and the parameters it gives.

    They are JSON, or any expression of Python over the notebook's variables.
    """
    found = _PARAMS.search(line)
    if found is None:
        return line, {}
    params = _evaluate(found[1].strip(), variables)
    if not isinstance(params, Mapping):
        raise UsageError(f"--params {found[1].strip()} is not a mapping of names to values")
    return line[: found.start()], dict(params)


def _evaluate(text: str, variables: Mapping[str, Any]) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        pass
    try:
        code = compile(ast.parse(text, mode="eval"), "--params", "eval")
        return eval(code, dict(variables))
    except Exception as error:
        fault = f"{type(error).__name__}: {error}"
        raise UsageError(f"--params {text} cannot be read: {fault}") from None
