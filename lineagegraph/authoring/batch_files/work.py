"""What a task of a batch file does."""

from pathlib import Path

from lineagegraph.authoring.batch_files.functions import read_function
from lineagegraph.authoring.batch_files.node import Node, entries, text
from lineagegraph.authoring.batch_files.sensor import SENSOR, read_sensor
from lineagegraph.authoring.batch_tasks import checked_mode, notebook_params, query_text
from lineagegraph.authoring.checked_function import checked_function
from lineagegraph.authoring.handle import Handle
from lineagegraph.authoring.kinds import Command, Notebook, Query, SparkSubmit, TaskFunction
from lineagegraph.authoring.project_file import project_file
from lineagegraph.authoring.task_options import Options
from lineagegraph.authoring.texts import text_map

KINDS = ("sql", "callable", "notebook", "spark_submit", "command", "sensor")
_BELONGS = {
    "target": ("sql",),
    "mode": ("sql", "sensor"),
    "environment": ("command",),
    "params": ("notebook",),
    **dict.fromkeys(SENSOR, ("sensor",)),
}
WORK = (*KINDS, *_BELONGS)


def read_work(task: Node, members: dict[str, Node], options: Options) -> Handle:
    """Return a task with its one kind of work."""
    kinds = [kind for kind in KINDS if kind in members]
    if not kinds:
        raise task.fault(f"does nothing: give it one of {', '.join(KINDS)}")
    if len(kinds) > 1:
        raise members[kinds[1]].fault(f"a task does one thing, and this has {kinds[0]} too")
    kind = kinds[0]
    for key, owners in _BELONGS.items():
        if key in members and kind not in owners:
            raise members[key].fault(
                f"is for tasks with {' or '.join(owners)}, and this has {kind}"
            )
    return _READ[kind](members[kind], members, options)


def _sql(node: Node, members: dict[str, Node], options: Options) -> Handle:
    mode = members.get("mode")
    return Query(
        sql=_query(node),
        target=text(members, "target"),
        mode=checked_mode(mode.text(), mode.origin) if mode else "overwrite",
        **options,
    )


def _query(node: Node) -> str:
    if isinstance(node.value, str):
        return query_text(node.text(), node.origin)
    file = node.members(("file",)).get("file")
    if file is None:
        raise node.fault('must be a query, or {"file": …}')
    return query_text(Path(file.text()), file.origin)


def _callable(node: Node, members: dict[str, Node], options: Options) -> Handle:
    function = checked_function(read_function(node).function, node.origin)
    return TaskFunction(function=function, **options)


def _notebook(node: Node, members: dict[str, Node], options: Options) -> Handle:
    origin = members.get("params", node).origin
    params = notebook_params(entries(members, "params"), options["name"], origin)
    file = project_file(node.text(), "notebook", node.origin)
    return Notebook(file=file, params=params, **options)


def _spark_submit(node: Node, members: dict[str, Node], options: Options) -> Handle:
    given = node.members(("jar", "file", "main", "args", "conf"))
    files = [given[key] for key in ("jar", "file") if key in given]
    if len(files) != 1:
        raise node.fault("needs one `jar` or `file`")
    return SparkSubmit(
        file=_submitted(files[0]),
        main=text(given, "main"),
        args=tuple(given["args"].texts()) if "args" in given else (),
        conf=text_map(entries(given, "conf"), "conf", node.origin),
        **options,
    )


def _submitted(node: Node) -> str:
    """Return a file of the project; one elsewhere is named by its whole path or a URL."""
    name = node.text()
    is_elsewhere = ":" in name or "{" in name or Path(name).is_absolute()
    return name if is_elsewhere else project_file(name, "file", node.origin)


def _command(node: Node, members: dict[str, Node], options: Options) -> Handle:
    words = node.texts()
    if not words:
        raise node.fault("is empty")
    return Command(
        command=tuple(words),
        environment=text_map(entries(members, "environment"), "environment", node.origin),
        **options,
    )


_READ = {
    "sql": _sql,
    "callable": _callable,
    "notebook": _notebook,
    "spark_submit": _spark_submit,
    "command": _command,
    "sensor": read_sensor,
}
