"""`ingest`: OpenLineage events from files."""

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import msgspec
import typer

from lineagegraph.cli.connect import connected
from lineagegraph.cli.console import results, track
from lineagegraph.errors import InvalidEvent
from lineagegraph.ingest.extract import extract
from lineagegraph.ingest.finish_moves import settle
from lineagegraph.liveness.daemons import nudge_daemons
from lineagegraph.reactions.commit import commit
from lineagegraph.settings import load_settings

_BATCH = 100
_TOO_DEEP = "nested too deep"


def ingest(
    files: Annotated[list[Path], typer.Argument(help="JSON file, or one JSON event on each line.")],
) -> None:
    """Ingest OpenLineage events from files; an event that is already stored is skipped."""
    settings = load_settings()
    events = [event for path in files for event in read_events(path)]
    batches = [events[i : i + _BATCH] for i in range(0, len(events), _BATCH)]
    max_event_age, routes = settings.max_event_age, settings.notify
    with connected(settings) as graph:
        fired = 0
        for batch in track(batches, "events"):
            found = extract(batch)
            fired += len(
                graph.write(commit, found, max_event_age=max_event_age, routes=routes, own=False)
            )
        while graph.write(settle):
            pass
        if fired:
            nudge_daemons(graph)
    results.print(f"{len(events)} events, {fired} triggers fired")


def read_events(path: Path) -> Iterator[Any]:
    """Yield the events of a file: one JSON value, an array of them, or one on each line.

    Raise `InvalidEvent` with the file and the line before anything is ingested.
    """
    try:
        text = path.read_bytes()
    except OSError as error:
        raise InvalidEvent(f"cannot be read: {error.strerror}", str(path)) from error
    try:
        whole = msgspec.json.decode(text)
    except msgspec.DecodeError:
        yield from _check(_lines(path, text), path)
        return
    except RecursionError as error:
        # It is in the first value: this may go over many lines, or others may follow it.
        number = text[: len(text) - len(text.lstrip())].count(b"\n") + 1
        raise InvalidEvent(_TOO_DEEP, f"{path}:{number}") from error
    yield from _check(iter(whole if isinstance(whole, list) else [whole]), path)


def _lines(path: Path, text: bytes) -> Iterator[Any]:
    for number, line in enumerate(text.splitlines(), 1):
        if line.strip():
            try:
                yield msgspec.json.decode(line)
            except msgspec.DecodeError as error:
                raise InvalidEvent(f"not JSON: {error}", f"{path}:{number}") from error
            except RecursionError as error:
                raise InvalidEvent(_TOO_DEEP, f"{path}:{number}") from error


def _check(events: Iterator[Any], path: Path) -> Iterator[Any]:
    for number, event in enumerate(events, 1):
        try:
            extract([event])
        except InvalidEvent as error:
            raise InvalidEvent(str(error), f"{path}: event {number}") from error
        except RecursionError as error:
            raise InvalidEvent(_TOO_DEEP, f"{path}: event {number}") from error
        yield event
