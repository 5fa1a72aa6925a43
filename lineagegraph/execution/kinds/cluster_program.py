"""The driver of a Python file on a cluster: `cluster_program.py FILE ARGUMENTS`.

It needs lineagegraph in the Python of the cluster. Without it the file runs nevertheless, and the
task is marked: its lineage is incomplete. So this module imports the standard library only.
"""

import base64
import json
import os
import runpy
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

_SPEC = "https://openlineage.io/spec"
_PRODUCER = "https://github.com/lineagegraph/lineagegraph"


def main(words: list[str]) -> None:
    """Run a file as `__main__`, captured if that can be."""
    try:
        from lineagegraph.execution.kinds import sent_events, submitted_program
    except ImportError as error:
        _mark(f"lineagegraph cannot be imported in the driver: {error}")
        sys.argv = words
        sys.path[0] = str(Path(words[0]).parent)
        runpy.run_path(words[0], run_name="__main__")
    else:
        submitted_program.run(words, sent_events.SentEvents())


def _mark(reason: str) -> None:
    print(f"lineagegraph: {reason}", file=sys.stderr)
    body = json.dumps(_marking_event(reason)).encode()
    headers = {
        "Authorization": f"Bearer {os.environ['LINEAGEGRAPH_TOKEN']}",
        "Content-Type": "application/json",
    }
    address = f"{os.environ['OPENLINEAGE_URL'].rstrip('/')}/api/v1/lineage"
    try:
        urlopen(Request(address, body, headers), timeout=60).close()
    except OSError as error:
        print(f"lineagegraph: {address}: {error}", file=sys.stderr)


def _marking_event(reason: str) -> dict[str, Any]:
    task = json.loads(base64.b64decode(os.environ["LINEAGEGRAPH_CAPTURE_TASK"]))
    schema = f"{_SPEC}/facets/1-1-2/ExtractionErrorRunFacet.json#/$defs/ExtractionErrorRunFacet"
    facet = {"_producer": _PRODUCER, "_schemaURL": schema, "totalTasks": 1, "failedTasks": 1}
    facet["errors"] = [{"errorMessage": reason}]
    return {
        "eventType": "RUNNING",
        "eventTime": datetime.now(UTC).isoformat(),
        "producer": _PRODUCER,
        "schemaURL": f"{_SPEC}/2-0-2/OpenLineage.json#/$defs/RunEvent",
        "run": {"runId": task["run_id"], "facets": {"extractionError": facet}},
        "job": {"namespace": task["namespace"], "name": task["job"]},
    }


if __name__ == "__main__":
    main(sys.argv[1:])
