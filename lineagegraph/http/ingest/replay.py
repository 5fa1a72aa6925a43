"""Replay the spool into the graph once Neo4j is back."""

from pathlib import Path

from lineagegraph.errors import InvalidEvent
from lineagegraph.http.ingest.decoding import decode_json
from lineagegraph.http.ingest.facet_check import FacetCheck
from lineagegraph.http.ingest.received import Received, receive
from lineagegraph.http.ingest.spool import IngestSpool
from lineagegraph.http.ingest.writer import Writer

_EVENTS = 200


def replay(spool: IngestSpool, path: Path, writer: Writer) -> bool:
    """Write one file of the spool; False if Neo4j cannot: it is replayed from its start later.

    Events are idempotent, so events of an interrupted replay do no harm.
    """
    received, refused = _read(path)
    for start in range(0, len(received), _EVENTS):
        part = received[start : start + _EVENTS]
        for event, outcome in zip(part, writer.write(part), strict=True):
            if isinstance(outcome, InvalidEvent):
                refused.append((event.line, str(outcome)))
            elif outcome:
                return False
    return spool.finish(path, refused)


def _read(path: Path) -> tuple[list[Received], list[tuple[bytes, str]]]:
    """Return the events of a file, and its invalid lines; a torn last line is ignored."""
    check = FacetCheck()
    received, refused = [], []
    for line in path.read_bytes().splitlines(keepends=True):
        try:
            received.append(receive(decode_json(line), check))
        except InvalidEvent as error:
            if line.endswith(b"\n"):
                refused.append((line, str(error)))
    return received, refused
