"""Runs of pipelines as answers."""

from typing import Annotated

from starlette.responses import Response

from lineagegraph.http.plumbing.answers import (
    AnswerStruct,
    Count,
    Timestamp,
    Uuid,
    about,
    answer_from,
)
from lineagegraph.http.plumbing.mark_answer import (
    AcknowledgementAnswer,
    NoteAnswer,
    RunMarkAnswer,
    acknowledgement_answer,
    mark_answer,
)
from lineagegraph.http.plumbing.reads import answer
from lineagegraph.model.runs.states import FINAL, RunState
from lineagegraph.queries.runs.run_status import RunStatus, TaskStatus
from lineagegraph.runs.queue import QueuedRun
from lineagegraph.store.jobs.details import Named


class StartedRunAnswer(AnswerStruct):
    """A run that was queued."""

    run_id: Annotated[Uuid, about("Id of the run.")]
    url: Annotated[str, about("Path of its status.")]
    job: Annotated[Named, about("Pipeline that it runs.")]
    consumed: Annotated[Count, about("Number of occurrences of triggers that it consumed.")]
    has_daemon: Annotated[bool, about("False if it waits until a daemon is started.")]


class RunTaskAnswer(AnswerStruct):
    """A task of a run; all but its path is null before it began."""

    path: Annotated[str, about("Path of the task in its pipeline.")]
    run_id: Annotated[Uuid | None, about("Its run.")] = None
    state: Annotated[RunState | None, about("State of its run.")] = None
    attempt: Annotated[int | None, about("Number of its last attempt, from 1.")] = None
    started_at: Annotated[Timestamp | None, about("Its start; null before it.")] = None
    ended_at: Annotated[Timestamp | None, about("Its end; null before it.")] = None
    reason: Annotated[str | None, about("Reason of its state, such as UPSTREAM_FAILED.")] = None
    message: Annotated[str | None, about("Explanation of its state for people.")] = None
    error: Annotated[str | None, about("Error of a failed task.")] = None
    mark: Annotated[RunMarkAnswer | None, about("Its mark by hand; null without one.")] = None
    log: Annotated[str | None, about("Path of its log.")] = None


class RunStatusAnswer(AnswerStruct):
    """The state of a run, and of its tasks."""

    run_id: Annotated[Uuid, about("Id of the run.")]
    job: Annotated[Named, about("Job of the run.")]
    state: Annotated[RunState, about("Its state in lineagegraph's words.")]
    is_over: Annotated[bool, about("Whether the state is final.")]
    version: Annotated[str | None, about("Hash of the version that it runs; null if unknown.")]
    created_at: Annotated[Timestamp | None, about("Time at which it was queued.")]
    started_at: Annotated[Timestamp | None, about("Its start; null before it.")]
    ended_at: Annotated[Timestamp | None, about("Its end; null before it.")]
    reason: Annotated[str | None, about("Reason of its state, such as LOST.")]
    message: Annotated[str | None, about("Explanation of its state for people.")]
    error: Annotated[str | None, about("Error of a failed run.")]
    mark: Annotated[RunMarkAnswer | None, about("Its mark by hand; null without one.")]
    acknowledgement: Annotated[
        AcknowledgementAnswer | None, about("Who has seen its failure; null for nobody.")
    ]
    notes: Annotated[list[NoteAnswer], about("Notes about it, the oldest first.")]
    tasks: Annotated[list[RunTaskAnswer], about("Its tasks, in the order of the definition.")]


def status_path(run_id: str) -> str:
    """Return the path of a run's status."""
    return f"/api/v1/jobs/runs/{run_id}/status"


def answer_started(queued: QueuedRun, job: Named) -> Response:
    """Answer a run that was queued: 201, or 200 if the same request queued it before."""
    url = status_path(queued.run_id)
    started = answer_from(StartedRunAnswer, queued, url=url, job=job)
    return answer(started, 201 if queued.is_new else 200)


def status_answer(found: RunStatus, namespace: str) -> RunStatusAnswer:
    """Return a run with its tasks."""
    return answer_from(
        RunStatusAnswer,
        found.run,
        run_id=found.run.id,
        job=Named(namespace, found.run.name),
        state=RunState(found.run.state),
        is_over=found.run.state in FINAL,
        mark=mark_answer(found.run.mark),
        acknowledgement=acknowledgement_answer(found.run.acknowledgement),
        notes=[answer_from(NoteAnswer, note) for note in found.notes],
        version=found.version,
        tasks=[_task(one) for one in found.tasks],
    )


def _task(task: TaskStatus) -> RunTaskAnswer:
    row = task.run
    if row is None:
        return RunTaskAnswer(task.path)
    log = f"/api/v1/jobs/runs/{row.id}/log"
    return answer_from(
        RunTaskAnswer, row, path=task.path, run_id=row.id, log=log, mark=mark_answer(row.mark)
    )
