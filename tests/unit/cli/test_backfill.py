"""What is typed about a backfill, and what is shown of it."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from lineagegraph.backfills.start import Planned
from lineagegraph.cli.run.backfill_span import read_range, read_span, read_which
from lineagegraph.cli.run.backfill_view import print_backfill, print_backfills, print_plan
from lineagegraph.errors import BackfillRefused
from lineagegraph.model.runs.states import RunState
from lineagegraph.model.triggers.backfill import (
    BackfillSpan,
    BackfillState,
    NominalRange,
    PartitionOrder,
    Which,
)
from lineagegraph.queries.jobs.pages import Page
from lineagegraph.queries.triggers.backfills import Backfill, progress
from lineagegraph.store.triggers.backfills import BackfillRow, PartitionRow, StateCount

START = datetime(2026, 1, 1, tzinfo=UTC)
ROW = BackfillRow(
    id="january",
    namespace="default",
    job="sales.daily",
    state=BackfillState.PAUSED,
    reason="2 of its runs failed",
    which=Which.INCOMPLETE,
    order=PartitionOrder.OLDEST,
    concurrency=2,
    stop_after=2,
    total=40,
    created_at=START,
    ended_at=None,
    counts=(StateCount("COMPLETED", 8), StateCount("FAILED", 2), StateCount("UNSTARTED", 30)),
    first_started_at=START,
    last_ended_at=START + timedelta(minutes=5),
    ended=10,
)


def test_options_become_days_values_and_rows(tmp_path: Path) -> None:
    file = tmp_path / "rows.ndjson"
    file.write_text('{"limit": 1}\n\n{"limit": 2}\n')
    times = read_range("2026-01-01", "2026-01-31", "1d", "UTC", None)
    span = read_span(times, ["region=EU,US"], file, Which.FAILED, newest_first=True)
    assert span == BackfillSpan(
        times=NominalRange("2026-01-01", "2026-01-31"),
        values={"region": ["EU", "US"]},
        rows=[{"limit": 1}, {"limit": 2}],
        which=Which.FAILED,
        order=PartitionOrder.NEWEST,
    )


def test_at_most_one_option_says_which_partitions() -> None:
    assert read_which(False, False, False) is Which.INCOMPLETE
    assert read_which(True, False, False) is Which.MISSING
    with pytest.raises(BackfillRefused, match="exclude each other"):
        read_which(True, False, True)


@pytest.mark.parametrize("ends", [("2026-01-01", None), (None, "2026-01-01")])
def test_a_range_has_both_ends(ends: tuple[str | None, str | None]) -> None:
    with pytest.raises(BackfillRefused, match="give both"):
        read_range(*ends, "1d", "UTC", None)


@pytest.mark.parametrize("values", [["day"], ["day="], ["=1"], ["day=1", "day=2"]])
def test_values_have_a_name_once(values: list[str]) -> None:
    with pytest.raises(BackfillRefused, match="give each parameter once"):
        read_span(None, values, None, Which.ALL, newest_first=False)


@pytest.mark.parametrize(
    ("text", "said"), [(b'{"a": 1}\n[1]\n', r"ndjson:2: not a JSON object"), (b"\xff", "ndjson:1:")]
)
def test_a_line_that_is_no_object_is_named(tmp_path: Path, text: bytes, said: str) -> None:
    file = tmp_path / "rows.ndjson"
    file.write_bytes(text)
    with pytest.raises(BackfillRefused, match=said):
        read_span(None, [], file, Which.ALL, newest_first=False)
    with pytest.raises(BackfillRefused, match="No such file"):
        read_span(None, [], tmp_path / "none", Which.ALL, newest_first=False)


def test_progress_has_a_rate_and_what_is_left_at_it() -> None:
    found = progress(ROW)
    assert (found.done, found.failed, found.active, found.waiting) == (10, 2, 0, 30)
    assert (found.rate_per_minute, found.rest_seconds) == (2.0, 900.0)


def test_a_backfill_is_shown_with_its_reason_its_rate_and_its_partitions(
    capsys: pytest.CaptureFixture[str],
) -> None:
    found = Backfill(ROW, progress(ROW))
    partition = PartitionRow(0, "{}", '{"day":"1"}', "FAILED", "r1", START, START, "LOST", None)
    print_backfill(found, Page((partition,), 40))
    print_backfills([found])
    shown = capsys.readouterr()
    assert "january  sales.daily  PAUSED  2 of its runs failed" in shown.out
    assert "8 COMPLETED, 2 FAILED, 30 UNSTARTED; at most 2 at a time; 2.0 a minute" in shown.out
    assert "15m left" in shown.out
    assert '{"day":"1"}' in shown.out
    assert "10/40" in shown.out
    assert "39 more: --limit shows them" in shown.err


def test_a_plan_is_shown_with_what_would_be_left_out(capsys: pytest.CaptureFixture[str]) -> None:
    done = Planned(0, {"day": "1"}, None, "r1", RunState.COMPLETED, False)
    print_plan([done, Planned(1, {"day": "2"}, None, None, None, True)])
    shown = capsys.readouterr()
    assert "no" in shown.out
    assert "COMPLETED" in shown.out
    assert "1 partition would run, 1 would be left out" in shown.err
