"""What a producer is told, as the OpenLineage API has it."""

from collections.abc import Iterable
from typing import Any, NamedTuple

from starlette.responses import JSONResponse

from lineagegraph.errors import GraphBusy, InvalidEvent, LineagegraphError
from lineagegraph.http.ingest.facet_check import FacetReport
from lineagegraph.http.ingest.waiting import Outcome
from lineagegraph.http.ingest.writer import AWAY
from lineagegraph.http.refusal import RequestRefused

_RETRY_SECONDS = 5


class Judged(NamedTuple):
    """What became of one event of a request."""

    outcome: Outcome
    reports: list[FacetReport]


def event_answer(judged: Judged) -> JSONResponse:
    """Answer one event: 201 once it is in the graph."""
    if judged.outcome:
        raise as_refusal(judged.outcome)
    return JSONResponse({"facets": [report._asdict() for report in judged.reports]}, 201)


def batch_answer(judged: list[Judged]) -> JSONResponse:
    """Answer a batch: 200 with what failed; 503 while Neo4j is away, as all can be sent again."""
    failed = [(index, one.outcome) for index, one in enumerate(judged) if one.outcome]
    for _, outcome in failed:
        if isinstance(outcome, AWAY):
            raise as_refusal(outcome)
    retriable = sum(isinstance(outcome, GraphBusy) for _, outcome in failed)
    summary = {
        "received": len(judged),
        "successful": len(judged) - len(failed),
        "failed": len(failed),
        "retriable": retriable,
        "non_retriable": len(failed) - retriable,
    }
    answer: dict[str, Any] = {
        "status": "partial_success" if failed else "success",
        "summary": summary,
        "failed_events": [
            {"index": index, "reason": str(why), "retriable": isinstance(why, GraphBusy)}
            for index, why in failed
        ],
        "facets": list(_reports(judged)),
    }
    return JSONResponse(answer)


def as_refusal(error: LineagegraphError) -> RequestRefused:
    """Return how an error is answered."""
    if isinstance(error, RequestRefused):
        return error
    if isinstance(error, (*AWAY, GraphBusy)):
        return RequestRefused(503, str(error), retry_after=_RETRY_SECONDS)
    if isinstance(error, InvalidEvent):
        return RequestRefused(400, str(error).removeprefix(f"{error.path}: "), error.path)
    return RequestRefused(400, str(error))


def _reports(judged: list[Judged]) -> Iterable[dict[str, Any]]:
    for index, one in enumerate(judged):
        for report in one.reports:
            yield {"index": index, **report._asdict()}
