"""Files of events that no one can have written by hand."""

import json
from pathlib import Path

import pytest

from lineagegraph.cli.operate.ingest import read_events
from lineagegraph.errors import InvalidEvent
from tests.events import run_event

DEEP = "[" * 100_000 + "]" * 100_000


@pytest.mark.parametrize(
    ("lines", "number"),
    [([DEEP], 1), (["", DEEP], 2), (["", *DEEP[:9], DEEP[9:]], 2), (["good", DEEP], 2)],
)
def test_json_that_is_nested_too_deep_is_refused_with_its_line(
    tmp_path: Path, lines: list[str], number: int
) -> None:
    path = tmp_path / "events.json"
    good = json.dumps(run_event("load"))
    path.write_text("\n".join(good if line == "good" else line for line in lines))
    with pytest.raises(InvalidEvent, match=rf"events\.json:{number}: nested too deep"):
        list(read_events(path))


@pytest.mark.parametrize("depth", [100, 300, 500, 900])
def test_an_event_that_is_nested_too_deep_is_refused_with_its_number(
    tmp_path: Path, depth: int
) -> None:
    path = tmp_path / "events.json"
    event = run_event("load")
    value: object = 1
    for _ in range(depth):
        value = [value]
    event["run"]["facets"]["deep"] = {"value": value}
    path.write_text(json.dumps(event))
    with pytest.raises(InvalidEvent, match=r"events\.json: event 1: "):
        list(read_events(path))
