"""Starts the process of a cluster, beside the worker of its run."""

import os
import subprocess
import sys
from pathlib import Path

from lineagegraph.settings import Settings, settings_environment


def start_cluster(settings: Settings, logs: Path, name: str) -> "subprocess.Popen[bytes]":
    """Start it; what it prints itself goes into the log of its cluster."""
    command = [sys.executable, "-m", "lineagegraph.worker.cluster_worker", name]
    with Path(logs / f"cluster@{name}.log").open("ab") as output:
        return subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=output,
            env=os.environ | settings_environment(settings),
        )
