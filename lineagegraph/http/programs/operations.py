"""The operations of programs, as CDAP has them."""

from collections.abc import Iterator
from typing import Annotated, Any, Literal
from uuid import UUID

from msgspec import Meta

from lineagegraph.http.pipeline_runs.bodies import IDEMPOTENCY_KEY, START_CONFLICT
from lineagegraph.http.plumbing.operations import (
    ApiParameter,
    Body,
    Name,
    Operation,
    Reply,
    get,
    in_path,
    post,
    tagged,
)
from lineagegraph.http.programs.answers import (
    ProgramRunAnswer,
    ProgramStartedAnswer,
    ProgramStatusAnswer,
)
from lineagegraph.http.schedules.operations import APPLICATION, IN_APPLICATION, PROGRAM, VERSION

MOST_SECONDS = 253_402_300_799
_Seconds = Annotated[int, Meta(ge=0)]
_OK = Reply("Its runs are ending.", Literal["OK"])
# A pipeline with runs, for the examples.
_DAILY = (
    IN_APPLICATION[0],
    in_path("application", Name, "default", IN_APPLICATION[1].about),
    in_path("program", Name, "daily", PROGRAM.about),
)
_RUN = "00000000-0000-7000-8000-0000000cae1"
_CHOSEN = (
    ApiParameter(
        "status",
        str,
        "completed",
        "Only runs that are `pending`, `running`, `completed`, `failed` or `killed`.",
        default="all",
    ),
    ApiParameter("start", _Seconds, 0, "Only runs queued then or later, in seconds since 1970."),
    ApiParameter("end", _Seconds, 2_082_758_399, "Only runs queued before."),
    ApiParameter(
        "limit", Annotated[int, Meta(ge=0, le=10_000)], 20, "At most so many.", default=100
    ),
)


def _of_program(base: str, suffix: str, *version: ApiParameter) -> Iterator[Operation]:
    one = f"{base}/workflows/{{program}}"
    place = (*IN_APPLICATION, *version)
    yield post(
        f"{one}/start",
        f"startProgram{suffix}",
        "Start a run of a pipeline.",
        Reply("It is queued.", ProgramStartedAnswer),
        *place,
        PROGRAM,
        IDEMPOTENCY_KEY,
        body=Body(dict[str, Any], {"month": "2"}, required=False),
        also=(START_CONFLICT,),
    )
    yield get(
        f"{one}/status",
        f"getProgramStatus{suffix}",
        "Whether a pipeline runs.",
        Reply("Its status.", ProgramStatusAnswer),
        *place,
        PROGRAM,
    )
    yield get(
        f"{one}/runs",
        f"listProgramRuns{suffix}",
        "The runs of a pipeline, newest first.",
        Reply("Runs.", list[ProgramRunAnswer]),
        *place,
        PROGRAM,
        *_CHOSEN,
    )
    yield get(
        f"{one}/runs/{{id}}",
        f"getProgramRun{suffix}",
        "One run of a pipeline.",
        Reply("The run.", ProgramRunAnswer),
        *_DAILY,
        *version,
        in_path("id", UUID, f"{_RUN}d", "The id of a run."),
    )
    yield post(
        f"{one}/stop",
        f"stopProgram{suffix}",
        "Cancel all runs of a pipeline.",
        _OK,
        *place,
        PROGRAM,
    )
    yield post(
        f"{one}/runs/{{id}}/stop",
        f"stopProgramRun{suffix}",
        "Cancel one run of a pipeline.",
        _OK,
        *_DAILY,
        *version,
        in_path("id", UUID, f"{_RUN}{'e' if version else 'f'}", "The id of a run."),
    )


OPERATIONS = tagged(
    "programs",
    *_of_program(APPLICATION, ""),
    *_of_program(f"{APPLICATION}/versions/{{version}}", "OfVersion", VERSION),
)
