"""Answers to producers, as the OpenLineage API has them."""

from collections.abc import Sequence
from typing import Annotated, Literal, NamedTuple

import msgspec
from starlette.responses import Response

from lineagegraph.errors import GraphBusy, InvalidEvent, LineagegraphError
from lineagegraph.http.ingest.facet_check import FacetReport
from lineagegraph.http.ingest.waiting import Outcome
from lineagegraph.http.ingest.writer import AWAY
from lineagegraph.http.plumbing.answers import AnswerStruct, about
from lineagegraph.http.plumbing.reads import answer
from lineagegraph.http.plumbing.refusal import RequestRefused

_RETRY_SECONDS = 5
_FACETS = (
    "All places where facets break their schemas, ids of runs that are no UUIDs, and runs that are "
    "their own parents or above them; at most about 1,000 an event."
)
_Path = Annotated[str, msgspec.Meta(examples=["$.job.facets.sql.query"])]


class FacetReportAnswer(AnswerStruct):
    """A facet or id of a run that breaks the specification, which is kept as it was sent."""

    path: _Path
    message: str


class EventAnswer(AnswerStruct):
    """The faults of an event that is taken nevertheless, and its claims."""

    facets: Annotated[list[FacetReportAnswer], about(_FACETS)]
    claims: Annotated[
        list[_Path],
        about("Parts about jobs and datasets of others: kept, and no facts until the token may."),
    ]


class BatchFacetReportAnswer(AnswerStruct):
    """A fault of a batch's event that is taken nevertheless."""

    index: Annotated[int, about("The event's place in the batch.")]
    path: _Path
    message: str


class BatchClaimAnswer(AnswerStruct):
    """A part of a batch's event that is only its author's claim."""

    index: Annotated[int, about("The event's place in the batch.")]
    path: _Path


class BatchSummaryAnswer(msgspec.Struct):
    """How many events of a batch were written."""

    received: int
    successful: int
    failed: int
    retriable: int
    non_retriable: int


class FailedEventAnswer(msgspec.Struct):
    """An event of a batch that was not written."""

    index: int
    reason: str
    retriable: bool


class BatchAnswer(msgspec.Struct):
    """How the events of a batch fared."""

    status: Literal["success", "partial_success"]
    summary: BatchSummaryAnswer
    failed_events: list[FailedEventAnswer]
    facets: Annotated[list[BatchFacetReportAnswer], about(_FACETS)]
    claims: list[BatchClaimAnswer]


class JudgedEvent(NamedTuple):
    """The outcome of one event of a request."""

    outcome: Outcome
    reports: list[FacetReport]
    claims: Sequence[str] = ()


def event_answer(judged: JudgedEvent) -> Response:
    """Answer one event: 201 once it is in the graph."""
    if judged.outcome:
        raise as_refusal(judged.outcome)
    reports = [FacetReportAnswer(*one) for one in judged.reports]
    return answer(EventAnswer(reports, list(judged.claims)), 201)


def batch_answer(judged: list[JudgedEvent]) -> Response:
    """Answer a batch: 200 with the failures; 503 while Neo4j is away, as all can be sent again."""
    failed = [(index, one.outcome) for index, one in enumerate(judged) if one.outcome]
    for _, outcome in failed:
        if isinstance(outcome, AWAY):
            raise as_refusal(outcome)
    events = [
        FailedEventAnswer(index, str(why), isinstance(why, GraphBusy)) for index, why in failed
    ]
    reports = [
        BatchFacetReportAnswer(index, *report)
        for index, one in enumerate(judged)
        for report in one.reports
    ]
    claims = [
        BatchClaimAnswer(index, path) for index, one in enumerate(judged) for path in one.claims
    ]
    status: Literal["success", "partial_success"] = "partial_success" if failed else "success"
    return answer(BatchAnswer(status, _summary(len(judged), events), events, reports, claims))


def as_refusal(error: LineagegraphError) -> RequestRefused:
    """Return the refusal that answers an error."""
    if isinstance(error, RequestRefused):
        return error
    if isinstance(error, (*AWAY, GraphBusy)):
        return RequestRefused(503, str(error), retry_after=_RETRY_SECONDS)
    if isinstance(error, InvalidEvent):
        return RequestRefused(400, str(error).removeprefix(f"{error.path}: "), error.path)
    return RequestRefused(400, str(error))


def _summary(received: int, failed: list[FailedEventAnswer]) -> BatchSummaryAnswer:
    retriable = sum(one.retriable for one in failed)
    return BatchSummaryAnswer(
        received, received - len(failed), len(failed), retriable, len(failed) - retriable
    )
