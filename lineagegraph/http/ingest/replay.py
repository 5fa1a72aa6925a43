"""Events of a file of the spool into the graph, a few at a time between the events that arrive."""

from pathlib import Path

from lineagegraph.errors import InvalidEvent
from lineagegraph.http.ingest.decoding import decode_json
from lineagegraph.http.ingest.facet_check import FacetCheck
from lineagegraph.http.ingest.received import Received, receive_line
from lineagegraph.http.ingest.spool import IngestSpool
from lineagegraph.http.ingest.unfinished import write_whole
from lineagegraph.http.ingest.waiting import Outcome
from lineagegraph.http.ingest.writer import Writer
from lineagegraph.ingest.parts import split


class SpoolReplay:
    """Writes the events of one file; those of an interrupted replay are written again."""

    def __init__(self, spool: IngestSpool, path: Path) -> None:
        self._spool = spool
        self._path = path
        self._left, self._refused = _read(path)

    def write_some(self, writer: Writer, most: int) -> bool:
        """Write the next events; False if Neo4j cannot: they are the next ones again."""
        part = self._left[:most]
        refused = []
        for event, outcome in zip(part, _write_all(part, writer), strict=True):
            if isinstance(outcome, InvalidEvent):
                refused.append((event.line, str(outcome)))
            elif outcome:
                return False
        self._refused += refused
        del self._left[:most]
        return True

    @property
    def is_over(self) -> bool:
        """Whether all events were written or refused."""
        return not self._left

    def finish(self) -> bool:
        """Delete the file; False if the disk did not allow it."""
        return self._spool.finish(self._path, self._refused)


def _write_all(events: list[Received], writer: Writer) -> list[Outcome]:
    if all(len(split(event.batch)) == 1 for event in events):
        return writer.write(events) if events else []
    return [write_whole(event, writer.write) for event in events]


def _read(path: Path) -> tuple[list[Received], list[tuple[bytes, str]]]:
    """Return the events of a file, and its invalid lines; a torn last line is ignored."""
    check = FacetCheck()
    received, refused = [], []
    for line in path.read_bytes().splitlines(keepends=True):
        try:
            received.append(receive_line(decode_json(line), check))
        except InvalidEvent as error:
            if line.endswith(b"\n"):
                refused.append((line, str(error)))
    return received, refused
