"""Members of another kind of event, which say nothing and may be anything."""

from typing import Any

import pytest

from lineagegraph.http.ingest.facet_check import FacetCheck
from lineagegraph.http.ingest.name_check import list_crowded
from lineagegraph.http.ingest.received import receive
from lineagegraph.ingest.claims import Others, list_claims
from lineagegraph.model.access import Caller, Role
from tests.events import job_event, run_event

AT = {"eventTime": "2026-01-01T00:00:00Z", "producer": "https://example.org"}
DATASET_EVENT = AT | {"dataset": {"namespace": "n", "name": "d"}}
FACETS = {"facets": {"documentation": {"description": 1}}}


@pytest.mark.parametrize(
    ("event", "foreign"),
    [
        *((run_event("job"), {"dataset": one}) for one in ("foo", [1], 5, FACETS, {"facets": "x"})),
        (job_event("job", job_type="DAG"), {"dataset": [1]}),
        *((DATASET_EVENT, {"inputs": one}) for one in ("abc", [1], [FACETS], {"facets": {}})),
        (DATASET_EVENT, {"outputs": 5}),
    ],
)
def test_an_event_is_taken_whatever_members_of_other_kinds_it_has(
    event: dict[str, Any], foreign: dict[str, Any]
) -> None:
    received, plain = (receive(one, FacetCheck()) for one in (event | foreign, event))
    assert received.event == event | foreign
    assert (received.batch.runs, received.reports) == (plain.batch.runs, plain.reports)
    assert list_crowded(event | foreign, {"key"}) == []
    caller = Caller("t", {role: frozenset() for role in Role})
    assert list_claims(event | foreign, caller, Others({}, frozenset())) == []
