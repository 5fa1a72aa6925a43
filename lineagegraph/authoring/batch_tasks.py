"""Functions that state queries, notebooks and clusters."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from keyword import iskeyword
from pathlib import Path
from typing import Any, Unpack

from lineagegraph.authoring.checked_values import (
    checked_name,
    checked_text,
    checked_texts,
    text_map,
)
from lineagegraph.authoring.declared import project_file, project_root
from lineagegraph.authoring.functions import function_of, module_of
from lineagegraph.authoring.kinds import Notebook, Query
from lineagegraph.authoring.options import with_options
from lineagegraph.authoring.origin import Origin, caller
from lineagegraph.authoring.task_options import TASK_DEFAULTS, TaskOptions, checked_options
from lineagegraph.errors import DefinitionError
from lineagegraph.model.pipelines.definition import Cluster
from lineagegraph.model.pipelines.parameters import plain_value

MODES = ("overwrite", "append")
Program = Sequence[str] | str | Callable[..., Any] | None


@with_options(TaskOptions, TASK_DEFAULTS)
def sql(
    name: str,
    query: str | Path,
    *,
    target: str | None = None,
    mode: str = "overwrite",
    **options: Unpack[TaskOptions],
) -> Query:
    """State a task that runs a query in Spark SQL, and publishes its result as the table `target`.

    The query is text, or a `Path` to a file that contains it.
    """
    origin = caller()
    return Query(
        sql=query_text(query, origin),
        target=None if target is None else checked_target(target, origin),
        mode=checked_mode(mode, origin),
        **checked_options(name, origin, **options),
    )


@with_options(TaskOptions, TASK_DEFAULTS)
def notebook_task(
    name: str,
    file: str | None = None,
    *,
    params: Mapping[str, Any] | None = None,
    **options: Unpack[TaskOptions],
) -> Notebook:
    """State a task that runs a Jupyter notebook, which gets the parameters.

    With a file alone, such as `report.ipynb`, the task has the file's name: `report`. `params` are
    values for this notebook, which override the pipeline's; `{name}` in them stands for a
    parameter of the pipeline. The executed copy is kept beside the task's log; `lineagegraph show
    RUN` prints its path.
    """
    origin = caller()
    if file is None:
        name, file = Path(name).stem, name
    return Notebook(
        file=project_file(file, "notebook", origin),
        params=notebook_params(params or {}, name, origin.at("params")),
        **checked_options(name, origin, **options),
    )


def cluster(
    name: str = "",
    *,
    master: str | None = None,
    conf: Mapping[str, Any] | None = None,
    create: Program = None,
    destroy: Program = None,
) -> Cluster:
    """State a Spark master and configuration for the tasks of a batch that name it.

    `create` and `destroy` make and remove it: commands, functions, or the names of functions as
    `module:function`.
    """
    origin = caller()
    return Cluster(
        name=checked_name(name, "cluster", origin) if name else "",
        spark=spark_settings(master, conf or {}, origin),
        create=program(create, "create", origin),
        destroy=program(destroy, "destroy", origin),
    )


def notebook_params(params: Mapping[str, Any], task: str, origin: Origin) -> dict[str, Any]:
    """Return the values for a notebook as JSON types."""
    if not isinstance(params, Mapping):
        raise DefinitionError(f"{origin}: task {task}: params={params!r} must be {{name: value}}")
    for name in params:
        if not isinstance(name, str) or not name.isidentifier() or iskeyword(name):
            raise DefinitionError(f"{origin}: task {task}: parameter {name!r}: use a Python name")
    try:
        return {name: plain_value("json", value) for name, value in params.items()}
    except ValueError as error:
        raise DefinitionError(f"{origin}: params of task {task}: {error}") from None


_TABLE = re.compile(r"(?:\w+|`[^`]+`)(?:\.(?:\w+|`[^`]+`)){0,3}")


def checked_target(target: object, origin: Origin) -> str:
    """Return the name of a table that a query may publish."""
    if not isinstance(target, str) or not _TABLE.fullmatch(target):
        raise DefinitionError(
            f"{origin}: target={target!r} is not the name of a table: write TABLE or SCHEMA.TABLE"
        )
    return target


def query_text(query: str | Path, origin: Origin) -> str:
    """Return a query, read from its file if it is a path."""
    if not isinstance(query, Path):
        return checked_text(query, "query", origin)
    file = project_root(origin) / project_file(str(query), "query", origin)
    try:
        text = file.read_text("utf-8-sig")
    except UnicodeDecodeError as error:
        raise DefinitionError(f"{origin}: {query} is not UTF-8 text: {error}") from None
    return checked_text(text, str(query), origin)


def checked_mode(mode: object, origin: Origin) -> str:
    """Return the write mode of a table, one of `MODES`."""
    if mode not in MODES:
        raise DefinitionError(f"{origin}: mode={mode!r} must be one of {', '.join(MODES)}")
    return str(mode)


def spark_settings(master: str | None, conf: Mapping[str, Any], origin: Origin) -> dict[str, str]:
    """Return the configuration of a Spark application."""
    own = {} if master is None else {"spark.master": checked_text(master, "master", origin)}
    return text_map(conf, "conf", origin) | own


def program(stated: Program, option: str, origin: Origin) -> tuple[str, ...] | str | None:
    """Return a command, or a function as `module:name`."""
    if stated is None or (isinstance(stated, str) and all(map(_is_dotted, _halves(stated)))):
        return stated
    if callable(stated):
        function = function_of(stated)
        if function is None or not _is_dotted(function.__qualname__):
            raise DefinitionError(
                f"{origin}: {option}: give a function at the top level of a module"
            )
        return f"{module_of(function, project_root(origin))}:{function.__qualname__}"
    if isinstance(stated, str):
        raise DefinitionError(
            f"{origin}: {option}={stated!r} must be a list of texts, or a function as module:name"
        )
    return checked_texts(stated, option, origin)


def _halves(name: str) -> list[str]:
    module, _, function = name.partition(":")
    return [module, function]


def _is_dotted(name: str) -> bool:
    return all(part.isidentifier() for part in name.split("."))
