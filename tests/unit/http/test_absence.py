"""Neo4j is asked whether it is back, however many events come meanwhile."""

import time

import pytest

from lineagegraph.errors import GraphUnreachable
from lineagegraph.http.ingest import group_commit
from lineagegraph.http.ingest.group_commit import Absence


def test_events_that_keep_coming_do_not_put_off_the_question(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(group_commit, "_PROBE_SECONDS", 0.1)
    away = Absence(lambda: False)
    deadline = time.monotonic() + 5
    away.begin(GraphUnreachable("gone"))
    while error := away.lasts():
        assert time.monotonic() < deadline
        away.begin(error)
        time.sleep(0.02)


def test_it_is_not_asked_at_every_event() -> None:
    asked = []
    away = Absence(lambda: not asked.append(1))
    away.begin(GraphUnreachable("gone"))
    assert all(away.lasts() for _ in range(100))
    assert asked == []
