"""From batch files to versions: `python -m bench.batches [--files 200] [--tasks 30]`.

Checks a folder of batch files together, reads it into an empty graph, and reads it again unchanged.
Each batch has a chain of tasks, and needs one of the batch before it.
"""

import argparse
import json
import tempfile
from pathlib import Path
from typing import Any

from bench.definitions import empty_graph, timed
from lineagegraph.cli.run.batch.files import read_files
from lineagegraph.reading.check_files import check_files
from lineagegraph.reading.sync import sync_path
from lineagegraph.settings import Settings

FILES = 200
TASKS = 30


def main() -> None:
    """Measure, and print a table for RESULTS.md."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--files", type=int, default=FILES)
    parser.add_argument("--tasks", type=int, default=TASKS)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "batches"
        folder.mkdir()
        settings = Settings(home=Path(name) / "home", neo4j_uri=None)
        for number in range(given.files):
            stated = json.dumps(batch(number, given.tasks))
            (folder / f"b{number}.json").write_text(stated)
        print(f"{given.files:,} files of {given.tasks} tasks", flush=True)
        checked = timed(lambda: check_files(read_files(settings, [folder]), None))
        print(f"validate: {checked:.1f} s", flush=True)
        with empty_graph(settings) as graph:
            first, again = (timed(lambda: sync_path(graph, settings, folder)) for _ in range(2))
        print(f"first sync {first:.1f} s, unchanged {again:.2f} s", flush=True)


def batch(number: int, tasks: int) -> dict[str, Any]:
    """A batch whose first task needs the last of the batch before it."""
    stated: dict[str, Any] = {}
    for task in range(tasks):
        before = [f"t{task - 1}"] if task else [f"b{number - 1}.t{tasks - 1}"] if number else []
        stated[f"t{task}"] = {"command": ["true"], "dependencies": before}
    return {"batch": f"b{number}", "tasks": stated, "schedule": "0 2 * * *"}


if __name__ == "__main__":
    main()
