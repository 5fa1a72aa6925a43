"""Names of actions as jobs: the same in every run."""

import re

from lineagegraph.spark.action import Action, Table

_VERBS = {
    "collectToPython": "collect",
    "collectAsArrowToPython": "to_pandas",
    "collectAsList": "collect",
    "head": "show",
    "command": "run",
    "overwrite": "run",
    "append": "run",
}
_CHANGES = {"DROP": "drop", "RENAME": "rename", "ALTER": "alter"}
_VARYING = re.compile(
    r"^(part-.*|(?=.*\d)[\d\-_T:.]+|[0-9a-f]{8}-[0-9a-f-]{27}|[^=]+=.*|_temporary)$", re.IGNORECASE
)


def name_action(action: Action, execution: str | None) -> str:
    """Return the simple name: `write_daily`, `count_orders`."""
    if target := action.description.target:
        return f"{_CHANGES.get(str(target.change), 'write')}_{_leaf(target.table)}"
    tables = [tables[0] for tables in action.inputs.values()]
    verb = "stream" if action.description.is_micro_batch else verb_of(execution)
    return f"{verb}_{_leaf(tables[0])}" if tables else verb


def verb_of(execution: str | None) -> str:
    """Return the verb of a job's name for Spark's name of an execution."""
    if not execution:
        return "run"
    words = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", execution).lower()
    return _VERBS.get(execution) or _words(words)


def _leaf(table: Table) -> str:
    if table.table:
        return _words(table.table[1].removeprefix("default."))
    folders = [f for f in re.split(r"[/\\]", table.dataset.name) if f]
    stable = [f for f in folders if not _VARYING.match(f)] or folders or ["root"]
    return _words(stable[-1])


def _words(text: str) -> str:
    return re.sub(r"\W+", "_", text).strip("_") or "data"
