"""Marks by hand, acknowledgements and notes in answers."""

from typing import Annotated

from lineagegraph.http.plumbing.answers import AnswerStruct, Timestamp, about, answer_from
from lineagegraph.model.runs.acknowledgement import Acknowledgement
from lineagegraph.model.runs.hand_mark import HandMark
from lineagegraph.model.runs.states import RunState


class RunMarkAnswer(AnswerStruct):
    """The mark by hand that decides a run's state."""

    author: Annotated[str, about("Who marked it.")]
    reason: Annotated[str, about("Why.")]
    before: Annotated[RunState, about("The state that the run has of its own.")]
    at: Annotated[Timestamp, about("When.")]


class AcknowledgementAnswer(AnswerStruct):
    """Who has seen a failure."""

    author: Annotated[str, about("Who acknowledged it.")]
    note: Annotated[str | None, about("Note for others; null without one.")]
    at: Annotated[Timestamp, about("When.")]


class NoteAnswer(AnswerStruct):
    """A note about a run."""

    text: Annotated[str, about("The note.")]
    author: Annotated[str, about("Who wrote it.")]
    at: Annotated[Timestamp, about("When.")]


def acknowledgement_answer(seen: Acknowledgement | None) -> AcknowledgementAnswer | None:
    """Return an acknowledgement, if there is one."""
    return answer_from(AcknowledgementAnswer, seen) if seen else None


def mark_answer(mark: HandMark | None) -> RunMarkAnswer | None:
    """Return a mark, if there is one."""
    return answer_from(RunMarkAnswer, mark) if mark else None
