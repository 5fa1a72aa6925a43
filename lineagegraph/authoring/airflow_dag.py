"""Export of a batch as an Airflow DAG file."""

import re
import shlex
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import NamedTuple

from lineagegraph.errors import DefinitionError
from lineagegraph.model.pipelines.definition import Parameter, Pipeline, Task
from lineagegraph.model.triggers.condition import OnCron, OnInterval
from lineagegraph.model.triggers.describe import describe_condition
from lineagegraph.model.triggers.trigger import CatchUp

_TIMETABLES = "airflow.timetables.trigger"


class AirflowSchedule(NamedTuple):
    """The argument `schedule` of a DAG, its imports, and comments on triggers that it omits."""

    text: str
    imports: list[str]
    comments: list[str]
    catches_up: bool


def read_schedule(pipeline: Pipeline) -> AirflowSchedule:
    """Return the schedule of a pipeline; triggers that Airflow does not have become comments.

    Raises `DefinitionError` for a combination of schedules that Airflow has no timetable for.
    """
    timed = [one for one in pipeline.triggers if isinstance(one.when, OnCron | OnInterval)]
    others = [one for one in pipeline.triggers if one not in timed]
    comments = [
        f"# Not started here by: {' '.join(describe_condition(one.when).split())}" for one in others
    ]
    text, imported = _timetable([one.when for one in timed], pipeline.name)
    return AirflowSchedule(
        text=text,
        imports=[f"from {_TIMETABLES} import {imported}"] if imported else [],
        comments=comments,
        catches_up=bool(timed) and all(one.catch_up is CatchUp.ALL for one in timed),
    )


def _timetable(times: list[object], name: str) -> tuple[str, str | None]:
    crons = [one for one in times if isinstance(one, OnCron)]
    spans = [one for one in times if isinstance(one, OnInterval)]
    zones = {one.zone for one in crons}
    if not times:
        return "None", None
    if len(spans) == 1 and not crons:
        return f"DeltaTriggerTimetable(timedelta(seconds={spans[0].seconds!r}))", (
            "DeltaTriggerTimetable"
        )
    if spans or len(zones) > 1:
        raise DefinitionError(
            f"{name}: Airflow cannot combine intervals with cron expressions, or cron expressions "
            "of several zones: keep one schedule"
        )
    kind = "CronTriggerTimetable" if len(crons) == 1 else "MultipleCronTriggerTimetable"
    expressions = ", ".join(repr(one.cron) for one in crons)
    return f"{kind}({expressions}, timezone={crons[0].zone!r})", kind


_UNFIT = re.compile(r"[^A-Za-z0-9_.-]")
_TEMPLATE = re.compile(r"\{[{%#]")
_LONGEST = 200
_LONG_AGO = datetime(2020, 1, 1, tzinfo=UTC)


def airflow_dag(pipeline: Pipeline, file: str) -> str:
    """Return the text of a DAG file, the same for the same batch.

    Each task calls `batch run` for itself, which waits for parents elsewhere and skips fresh tasks.
    `file` is the batch file's path on Airflow's workers. Raises `DefinitionError` if Airflow cannot
    give a parameter its value.
    """
    ids = _ids([task.name for task in pipeline.tasks])
    schedule = read_schedule(pipeline)
    lines = [
        f"# Batch {_plain(pipeline.name)} as `lineagegraph batch export airflow` writes it:",
        "# write it again when the batch changes.",
        *schedule.comments,
        "",
        "from datetime import timedelta",
        "",
        "import pendulum",
        "from airflow.providers.standard.operators.bash import BashOperator",
        "from airflow.sdk import DAG",
        *schedule.imports,
        "",
        "with DAG(",
        f"    dag_id={_text(_id(pipeline.name))},",
        f"    description={_text(pipeline.description or f'Batch {pipeline.name}')},",
        f"    schedule={schedule.text},",
        *_dates(pipeline),
        f"    catchup={schedule.catches_up},",
        f"    max_active_tasks={pipeline.concurrency},",
        f"    params={_params(pipeline)!r},",
        "    tags=['lineagegraph'],",
        "):",
        "    tasks = {",
        *(line for task in pipeline.tasks for line in _task(task, ids, pipeline, file)),
        "    }",
        *_edges(pipeline, ids),
    ]
    return "\n".join(lines) + "\n"


def _task(task: Task, ids: dict[str, str], pipeline: Pipeline, file: str) -> Iterator[str]:
    if "," in task.name:
        raise DefinitionError(f"task {task.name!r}: --only takes no name with a comma; rename it")
    words = ["lineagegraph", "batch", "run", file, "--batch", pipeline.name, "--only", task.name]
    given = [(one.name, value) for one in pipeline.parameters if (value := _value(one))]
    # Values reach the shell as variables, so that no part of them runs as a command.
    options = "".join(f' --param "{name}=$PARAM_{name}"' for name, _ in given)
    # Airflow takes a command that ends with .sh for a file: a trailing space prevents that.
    command = " ".join(_untouched(shlex.quote(word)) for word in words) + (options or " ")
    yield f"        {_text(ids[task.name])}: BashOperator("
    yield f"            task_id={_text(ids[task.name])},"
    yield f"            bash_command={_text(command)},"
    if given:
        yield f"            env={ {f'PARAM_{name}': value for name, value in given}!r},"
        yield "            append_env=True,"
    yield f"            retries={task.retries},"
    yield f"            retry_delay=timedelta(seconds={task.retry_delay!r}),"
    yield "        ),"


def _edges(pipeline: Pipeline, ids: dict[str, str]) -> Iterator[str]:
    for task in pipeline.tasks:
        for name in sorted(task.after):
            yield f"    tasks[{_text(ids[name])}] >> tasks[{_text(ids[task.name])}]"


def _value(parameter: Parameter) -> str | None:
    """Return a template for a parameter's value; None if the batch's default holds."""
    if parameter.required:
        if parameter.type == "date":
            return "{{ ds }}"
        if parameter.type == "datetime":
            return "{{ ts }}"
        raise DefinitionError(
            f"parameter {parameter.name} has no default, and Airflow has no value for it: "
            "give it a default"
        )
    if parameter.default is None:
        return None
    is_text = isinstance(parameter.default, str)
    return f"{{{{ params.{parameter.name}{'' if is_text else ' | tojson'} }}}}"


def _params(pipeline: Pipeline) -> dict[str, object]:
    return {one.name: one.default for one in pipeline.parameters if one.default is not None}


def _dates(pipeline: Pipeline) -> Iterator[str]:
    yield f"    start_date={_moment(pipeline.start_date or _LONG_AGO)},"
    if pipeline.end_date:
        yield f"    end_date={_moment(pipeline.end_date)},"


def _moment(at: datetime) -> str:
    utc = at.astimezone(UTC)
    parts = f"{utc.year}, {utc.month}, {utc.day}, {utc.hour}, {utc.minute}, {utc.second}"
    return f'pendulum.datetime({parts}, tz="UTC")'


def _ids(names: list[str]) -> dict[str, str]:
    """Return a unique id that Airflow accepts for each name."""
    found: dict[str, str] = {}
    for name in names:
        id_, number = _id(name), 1
        while id_ in found.values():
            number += 1
            id_ = f"{_id(name)}_{number}"
        found[name] = id_
    return found


def _id(name: str) -> str:
    return _UNFIT.sub("_", name)[:_LONGEST]


def _untouched(text: str) -> str:
    """Return a text that Airflow does not read as a template."""
    return f"{{% raw %}}{text}{{% endraw %}}" if _TEMPLATE.search(text) else text


def _plain(text: str) -> str:
    return " ".join(text.split())


def _text(text: str) -> str:
    return repr(text)
