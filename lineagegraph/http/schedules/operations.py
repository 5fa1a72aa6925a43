"""The operations of schedules, as CDAP has them."""

from collections.abc import Iterator
from typing import Annotated, Literal

from msgspec import Meta

from lineagegraph.http.plumbing.operations import (
    ApiParameter,
    Body,
    Name,
    Operation,
    Reply,
    delete,
    error_reply,
    get,
    in_path,
    post,
    put,
    tagged,
)
from lineagegraph.http.schedules.answers import (
    EnabledSchedulesAnswer,
    ProgramTimesAnswer,
    ScheduleAnswer,
    ScheduledTimeAnswer,
    ScheduleStatusAnswer,
)
from lineagegraph.http.schedules.body import BatchProgramsBody, ScheduleBody

_NAMESPACE = "/v3/namespaces/{namespace}"
APPLICATION = f"{_NAMESPACE}/apps/{{application}}"
_IN_NAMESPACE = in_path("namespace", Name, "default", "The namespace of an application.")
IN_APPLICATION = (
    _IN_NAMESPACE,
    in_path("application", Name, "shop", "A project that was synced, by the name in its settings."),
)
VERSION = in_path(
    "version",
    Name,
    "-SNAPSHOT",
    "`-SNAPSHOT`, or the hash of a version of one of its pipelines; schedules are the same in all.",
)
PROGRAM = in_path("program", Name, "report", "The FQN of a pipeline.")
_SCHEDULE = in_path(
    "schedule", Name, "nightly", "The name of a schedule, or the id of its trigger."
)
_CHOSEN = (
    ApiParameter(
        "trigger-type",
        str,
        "program-status",
        "Only those whose trigger is of a type: `time`, `partition`, `program-status`, `and`, "
        "`or`, `at-least`, `sequence`, `event`, `interval`, `fresh`, `absent`, `upstream` or "
        "`sensor`.",
    ),
    ApiParameter(
        "schedule-status", str, "SUSPENDED", "Only those that are `SCHEDULED` or `SUSPENDED`."
    ),
)
_SETTING_OFF = (
    ApiParameter(
        "trigger-namespace-id", Name, "default", "The namespace of the program.", required=True
    ),
    ApiParameter("trigger-app-name", Name, "shop", "Its application.", required=True),
    ApiParameter(
        "trigger-app-version",
        str,
        "-SNAPSHOT",
        "Of no effect: schedules are the same in all versions.",
    ),
    ApiParameter(
        "trigger-program-type",
        str,
        "workflows",
        "`workflow` for a pipeline, `spark` for a task.",
        required=True,
    ),
    ApiParameter("trigger-program-name", Name, "load", "Its FQN.", required=True),
    ApiParameter(
        "trigger-program-status",
        str,
        "COMPLETED",
        "Only those that wait for `COMPLETED`, `FAILED` or `KILLED`; several with commas.",
    ),
    ApiParameter("trigger-program-statuses", str, "COMPLETED,FAILED", "The same, as CDAP has it."),
)
_Millis = Annotated[int, Meta(ge=0)]
_WINDOW = (
    ApiParameter(
        "start-time-millis",
        _Millis,
        0,
        "The first millisecond since 1970 of the window.",
        required=True,
    ),
    ApiParameter("end-time-millis", _Millis, 1, "The first millisecond after it.", required=True),
)
_CONFLICT = error_reply(
    409, "ScheduleConflict", "A schedule of that name exists, or it has this state already."
)
_OK = Literal["OK"]
_SCHEDULES = Reply("Schedules by name.", list[ScheduleAnswer])
_ONE = Reply("The schedule.", ScheduleAnswer)
_SWITCHES = {
    "enable": "Enable a schedule.",
    "suspend": "Suspend a schedule.",
    "resume": "Enable a schedule.",
    "disable": "Suspend a schedule.",
}
_EXAMPLE = {
    "description": "After the load, at night",
    "program": {"programName": "report", "programType": "WORKFLOW"},
    "properties": {"month": "2"},
    "trigger": {
        "type": "PROGRAM_STATUS",
        "programId": {
            "namespace": "default",
            "application": "shop",
            "version": "-SNAPSHOT",
            "type": "WORKFLOW",
            "entity": "PROGRAM",
            "program": "load",
        },
        "programStatuses": ["COMPLETED"],
    },
    "constraints": [
        {
            "type": "TIME_RANGE",
            "startTime": "22:00",
            "endTime": "04:00",
            "timeZone": "Europe/Berlin",
            "waitUntilMet": True,
        }
    ],
    "timeoutMillis": 86_400_000,
}
_CHANGE = {"description": "Every night", "trigger": {"type": "TIME", "cronExpression": "0 4 * * *"}}


def _of_application(
    base: str, suffix: str, new: str, *place: ApiParameter, deprecated: bool = False
) -> Iterator[Operation]:
    """Yield the operations below an application; `new` names the schedule of the examples."""
    all_, one = f"{base}/schedules", f"{base}/schedules/{{schedule}}"
    new_name = in_path("schedule", Name, new, "The name of a schedule.")
    yield get(
        all_,
        f"listSchedules{suffix}",
        "The schedules of an application.",
        _SCHEDULES,
        *place,
        *_CHOSEN,
        deprecated=deprecated,
    )
    yield get(
        f"{base}/workflows/{{program}}/schedules",
        f"listSchedulesOfProgram{suffix}",
        "The schedules that start a pipeline.",
        _SCHEDULES,
        *place,
        PROGRAM,
        *_CHOSEN,
        deprecated=deprecated,
    )
    yield get(
        one, f"getSchedule{suffix}", "One schedule.", _ONE, *place, _SCHEDULE, deprecated=deprecated
    )
    yield get(
        f"{one}/status",
        f"getScheduleStatus{suffix}",
        "Whether a schedule is enabled.",
        Reply("Its status.", ScheduleStatusAnswer),
        *place,
        _SCHEDULE,
        deprecated=deprecated,
    )
    yield put(
        one,
        f"addSchedule{suffix}",
        "Add a schedule; it is suspended at first.",
        _ONE,
        *place,
        new_name,
        body=Body(ScheduleBody, {"name": new} | _EXAMPLE),
        also=(_CONFLICT,),
        deprecated=deprecated,
    )
    yield delete(
        one,
        f"deleteSchedule{suffix}",
        "Delete a schedule.",
        Reply("It is deleted.", _OK),
        *place,
        new_name,
        deprecated=deprecated,
    )
    yield post(
        f"{one}/update",
        f"updateSchedule{suffix}",
        "Change the members that the body has, and leave the others.",
        _ONE,
        *place,
        _SCHEDULE,
        body=Body(ScheduleBody, _CHANGE),
        deprecated=deprecated,
    )
    for switch, summary in _SWITCHES.items():
        yield post(
            f"{one}/{switch}",
            f"{switch}Schedule{suffix}",
            summary,
            Reply("It is.", _OK),
            *place,
            _SCHEDULE,
            also=(_CONFLICT,),
            deprecated=deprecated,
        )


def _of_times(way: str, when: str) -> Iterator[Operation]:
    path = f"{way.lower()}runtime"
    yield get(
        f"{APPLICATION}/workflows/{{program}}/{path}",
        f"get{way}RunTimes",
        f"When the enabled schedules of a pipeline {when}.",
        Reply("Times, by time.", list[ScheduledTimeAnswer]),
        *IN_APPLICATION,
        PROGRAM,
    )
    yield post(
        f"{_NAMESPACE}/{path}",
        f"list{way}RunTimes",
        f"When the enabled schedules of a pipeline {when}, for many.",
        Reply("The programs in their order, with their times.", list[ProgramTimesAnswer]),
        _IN_NAMESPACE,
        body=Body(
            BatchProgramsBody, [{"appId": "shop", "programType": "Workflow", "programId": "report"}]
        ),
        may_miss=False,
    )


OPERATIONS = tagged(
    "schedules",
    *_of_application(APPLICATION, "", "weekly", *IN_APPLICATION),
    *_of_application(
        f"{APPLICATION}/versions/{{version}}",
        "OfVersion",
        "monthly",
        *IN_APPLICATION,
        VERSION,
        deprecated=True,
    ),
    *_of_times("Next", "come next"),
    *_of_times("Previous", "came last"),
    get(
        f"{_NAMESPACE}/schedules/trigger-type/program-status",
        "listSchedulesSetOff",
        "The schedules that a program sets off, of any namespace that the token may read.",
        _SCHEDULES,
        _IN_NAMESPACE,
        *_SETTING_OFF,
        *_CHOSEN,
        may_miss=False,
    ),
    put(
        f"{_NAMESPACE}/schedules/re-enable",
        "reEnableSchedules",
        "Enable all schedules of a namespace that were suspended within a window.",
        Reply("Their names.", EnabledSchedulesAnswer),
        _IN_NAMESPACE,
        *_WINDOW,
        may_miss=False,
    ),
)
