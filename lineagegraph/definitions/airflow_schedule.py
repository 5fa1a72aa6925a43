"""What starts a batch, in the words of Airflow."""

from typing import NamedTuple

from lineagegraph.errors import DefinitionError
from lineagegraph.model.condition import OnCron, OnInterval
from lineagegraph.model.definition import Pipeline
from lineagegraph.model.say_condition import say
from lineagegraph.model.trigger import CatchUp

_TIMETABLES = "airflow.timetables.trigger"


class Schedule(NamedTuple):
    """The argument `schedule` of a DAG, what it needs, and what it leaves out."""

    text: str
    imports: list[str]
    comments: list[str]
    catches_up: bool


def read_schedule(pipeline: Pipeline) -> Schedule:
    """Return the schedule of a pipeline; triggers that Airflow does not have are told.

    Raises `DefinitionError` for several that Airflow has no timetable for.
    """
    timed = [one for one in pipeline.triggers if isinstance(one.when, OnCron | OnInterval)]
    others = [one for one in pipeline.triggers if one not in timed]
    comments = [f"# Not started here by: {' '.join(say(one.when).split())}" for one in others]
    text, imported = _timetable([one.when for one in timed], pipeline.name)
    return Schedule(
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
            f"{name}: Airflow has no schedule of intervals and cron expressions together, or of "
            "cron expressions in several zones: leave one"
        )
    kind = "CronTriggerTimetable" if len(crons) == 1 else "MultipleCronTriggerTimetable"
    expressions = ", ".join(repr(one.cron) for one in crons)
    return f"{kind}({expressions}, timezone={crons[0].zone!r})", kind
