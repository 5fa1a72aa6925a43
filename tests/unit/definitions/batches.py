"""Batch files, read in this process."""

import json
from pathlib import Path
from typing import Any

from lineagegraph.authoring.batch_files.read import state_batch
from lineagegraph.authoring.declared import collecting
from lineagegraph.model.pipelines.definition import Pipeline

DO = {"command": ["true"]}


def batch(tasks: Any = None, **more: Any) -> dict[str, Any]:
    """A batch with some tasks."""
    return {"batch": "daily", "tasks": {"one": DO} if tasks is None else tasks, **more}


def read(folder: Path, stated: Any) -> Pipeline:
    """Return what a file with this text, or JSON, states."""
    file = folder / "daily.json"
    file.write_text(stated if isinstance(stated, str) else json.dumps(stated))
    with collecting("default", "UTC", str(file), str(folder)):
        return state_batch(file).definition
