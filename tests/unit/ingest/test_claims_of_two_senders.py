"""One event from two senders that is committed at once, of which one may state more."""

import pytest

from lineagegraph.ingest.extract import extract
from tests.events import run_event

CLAIM = "$.run.facets.lineagegraph.mark"


@pytest.mark.parametrize("is_weaker_first", [True, False])
def test_an_event_that_one_sender_may_send_has_no_claims(is_weaker_first: bool) -> None:
    event = run_event("load", "OTHER")
    event["run"]["facets"]["lineagegraph"] = {"mark": {"state": "COMPLETED", "author": "ann"}}
    weaker = extract([event], author="ci", claims=[CLAIM])
    stronger = extract([event], author="ops")
    first, second = (weaker, stronger) if is_weaker_first else (stronger, weaker)
    first.join(second)
    (row,) = first.events.values()
    assert (row["author"], row["claims"]) == ("ops", None)
