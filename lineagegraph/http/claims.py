"""The route of claims: parts of events about jobs and datasets of others."""

from functools import partial
from typing import Annotated

from starlette.requests import Request
from starlette.responses import Response

from lineagegraph.graph import Graph
from lineagegraph.http.plumbing.answers import AnswerStruct, Timestamp, about
from lineagegraph.http.plumbing.operations import ApiParameter, get, listing, routes_of, tagged
from lineagegraph.http.plumbing.parameters import read_cut
from lineagegraph.http.plumbing.raw_route import RawRoute
from lineagegraph.http.plumbing.reads import page_answer
from lineagegraph.queries.jobs.claims import ClaimedParts, list_claims
from lineagegraph.queries.jobs.pages import Page


class ClaimAnswer(AnswerStruct):
    """An event whose author may not state all of it."""

    id: str
    received_at: Timestamp
    author: Annotated[str, about("The name of the token that sent the event.")]
    claims: Annotated[list[str], about("JSON paths of the parts that are kept, and no facts.")]
    job: Annotated[str | None, about("The event's job, as namespace and name.")]


OPERATIONS = tagged(
    "events",
    get(
        "/api/v1/claims",
        "getClaims",
        "Events with parts about jobs and datasets of others, which count once their author may.",
        listing("claims", ClaimAnswer, "Events, the newest first."),
        ApiParameter("author", str, "airflow", "Only events that this token sent."),
    ),
)


def claim_routes(graph: Graph, limit: int) -> list[RawRoute]:
    """Return the routes."""
    return routes_of(OPERATIONS, {"getClaims": partial(_list, graph)}, limit)


def _list(graph: Graph, request: Request) -> Response:
    cut = read_cut(request)
    author = request.query_params.get("author")
    page: Page[ClaimedParts] = graph.read(
        list_claims, author=author, offset=cut.offset, limit=cut.limit
    )
    return page_answer("claims", page, _answer)


def _answer(one: ClaimedParts) -> ClaimAnswer:
    return ClaimAnswer(one.id, one.received_at, one.author, one.claims, one.job)
