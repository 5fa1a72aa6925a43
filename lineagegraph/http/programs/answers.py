"""Runs of programs as CDAP writes them."""

from collections.abc import Iterable
from datetime import datetime
from typing import Annotated, Literal, get_args

from msgspec import UNSET, UnsetType

from lineagegraph.http.plumbing.answers import AnswerStruct, Uuid, about
from lineagegraph.model.runs.states import RunState
from lineagegraph.store.runs.history import ProgramRunRow

RunStatusWord = Literal["PENDING", "RUNNING", "COMPLETED", "FAILED", "KILLED"]
_WORDS: dict[RunState, RunStatusWord] = {
    RunState.PENDING: "PENDING",
    RunState.WAITING: "RUNNING",
    RunState.RUNNING: "RUNNING",
    RunState.COMPLETED: "COMPLETED",
    RunState.FRESH_SKIP: "COMPLETED",
    RunState.FAILED: "FAILED",
    RunState.KILLED: "KILLED",
    RunState.SKIPPED: "KILLED",
    RunState.SUPERSEDED: "KILLED",
}
# What CDAP has beside these, and no run here ever is.
_NEVER = ("STARTING", "SUSPENDED", "RESUMING", "STOPPING", "REJECTED")
_Seconds = Annotated[int, about("Seconds since 1970.")]


class ProgramStatusAnswer(AnswerStruct):
    """Whether a program runs."""

    status: Annotated[
        Literal["RUNNING", "STARTING", "STOPPED"], about("STARTING if all its runs are queued.")
    ]


class ProgramStartedAnswer(AnswerStruct):
    """The run that was started."""

    run_id: Uuid


class ProgramRunAnswer(AnswerStruct, rename=None):
    """A run of a program; times are absent before they come."""

    runid: Annotated[Uuid, about("Id of the run.")]
    starting: Annotated[_Seconds, about("Time at which it was queued.")]
    status: RunStatusWord
    properties: Annotated[
        dict[str, str], about("`runtimeArgs`: its parameters, as the text of a JSON object.")
    ]
    start: _Seconds | UnsetType = UNSET
    end: _Seconds | UnsetType = UNSET


def status_words() -> dict[str, list[str]]:
    """Return the states that each of CDAP's words means, by the word in lower case."""
    known = {
        word.lower(): [state.value for state, own in _WORDS.items() if own == word]
        for word in get_args(RunStatusWord)
    }
    everything = [state.value for state in RunState]
    return {"all": everything, **known, **{word.lower(): [] for word in _NEVER}}


def program_status(rows: Iterable[ProgramRunRow]) -> ProgramStatusAnswer:
    """Return the status of a program from its runs."""
    words = {_WORDS[row.state] for row in rows}
    if "RUNNING" in words:
        return ProgramStatusAnswer("RUNNING")
    return ProgramStatusAnswer("STARTING" if "PENDING" in words else "STOPPED")


def run_record(row: ProgramRunRow) -> ProgramRunAnswer:
    """Return a run."""
    return ProgramRunAnswer(
        runid=row.id,
        starting=_seconds(row.created_at),
        status=_WORDS[row.state],
        properties={"runtimeArgs": row.params or "{}"},
        start=UNSET if row.started_at is None else _seconds(row.started_at),
        end=UNSET if row.ended_at is None else _seconds(row.ended_at),
    )


def _seconds(at: datetime) -> int:
    return int(at.timestamp())
