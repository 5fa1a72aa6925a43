"""OpenLineage's wire format (specification 2-0-2): decoding, with the JSON path of each fault."""

from lineagegraph.openlineage.decode import decode_event
from lineagegraph.openlineage.events import (
    AnyEvent,
    DatasetEvent,
    InputDataset,
    JobEvent,
    OutputDataset,
    RunEvent,
)
from lineagegraph.openlineage.run_ids import identify_runs

__all__ = [
    "AnyEvent",
    "DatasetEvent",
    "InputDataset",
    "JobEvent",
    "OutputDataset",
    "RunEvent",
    "decode_event",
    "identify_runs",
]
