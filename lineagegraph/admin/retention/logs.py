"""Log folders of runs that retention has deleted."""

import shutil
import time
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from uuid import UUID

from lineagegraph.graph import Graph
from lineagegraph.store.runs import launches

_BATCH = 500


def delete_logs(graph: Graph, logs: Path, older_than: timedelta) -> int:
    """Delete this host's log folders of runs that the graph has no more; return their number.

    Newer folders stay: a home may have served another graph.
    """
    deleted = 0
    old = list(_old_folders(logs, older_than))
    for part in (old[start : start + _BATCH] for start in range(0, len(old), _BATCH)):
        known = {run.id for run in graph.read(launches.list_states, ids=[p.name for p in part])}
        for folder in part:
            if folder.name not in known:
                shutil.rmtree(folder, ignore_errors=True)
                deleted += 1
    return deleted


def _old_folders(logs: Path, older_than: timedelta) -> Iterator[Path]:
    limit = time.time() - older_than.total_seconds()
    for folder in logs.iterdir() if logs.is_dir() else ():
        if _is_run(folder.name) and not folder.is_symlink() and folder.stat().st_mtime < limit:
            yield folder


def _is_run(name: str) -> bool:
    try:
        return str(UUID(name)) == name
    except ValueError:
        return False
