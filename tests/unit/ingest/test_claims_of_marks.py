"""A mark by hand takes the role operate: in the events of others it is only a claim."""

from lineagegraph.ingest.claims import Others, list_claims
from lineagegraph.ingest.extract import extract
from lineagegraph.model.access import Caller, Role
from lineagegraph.model.runs.hand_mark import BY_HAND
from lineagegraph.model.runs.ids import new_id
from tests.events import run_event

NOBODY = Others({}, frozenset())


def caller(*roles: Role) -> Caller:
    covers = {role: frozenset({"default"} if role in roles else ()) for role in Role}
    return Caller("ci", covers)


def test_a_producer_without_the_role_operate_marks_nothing() -> None:
    run_id = new_id()
    event = run_event("load", "OTHER", run_id=run_id)
    mark = {"state": "COMPLETED", "reason": "fine", "author": "ann"}
    event["run"]["facets"]["lineagegraph"] = {"mark": mark}
    claims = list_claims(event, caller(Role.WRITE), NOBODY)
    assert claims == ["$.run.facets.lineagegraph.mark"]
    assert BY_HAND not in extract([event], claims=claims).runs[run_id].said
    assert list_claims(event, caller(Role.WRITE, Role.OPERATE), NOBODY) == []
    assert BY_HAND in extract([event]).runs[run_id].said
