"""`event`: report an external event."""

from datetime import datetime
from typing import Annotated, Any

import msgspec
import typer

from lineagegraph.cli.connect import connected
from lineagegraph.cli.console import results
from lineagegraph.cli.options import read_time
from lineagegraph.liveness.daemons import nudge_daemons
from lineagegraph.process_environment.task_processes import own_run
from lineagegraph.settings import load_settings
from lineagegraph.triggers.external_event import record_event


def _payload(text: str) -> dict[str, Any]:
    try:
        found = msgspec.json.decode(text)
    except msgspec.DecodeError as error:
        raise typer.BadParameter(f"not JSON: {error}") from None
    if not isinstance(found, dict):
        raise typer.BadParameter('it must be an object such as {"region": "EU"}')
    return found


def event(
    name: Annotated[str, typer.Argument(help="Event name, as in `on.event`.")],
    payload: Annotated[
        dict[str, Any] | None,
        typer.Option(parser=_payload, metavar="JSON", help="Payload, as a JSON object."),
    ] = None,
    id: Annotated[  # noqa: A002 - the option's name
        str | None, typer.Option(help="Event id; an event with the same id is stored only once.")
    ] = None,
    at: Annotated[
        datetime | None,
        typer.Option(parser=read_time, metavar="TIME", help="Time of the event (default: now)."),
    ] = None,
) -> None:
    """Report an external event and fire the triggers that wait for it."""
    settings = load_settings()
    with connected(settings) as graph:
        recorded = graph.write(
            record_event,
            name,
            payload=payload,
            event_id=id,
            occurred_at=at,
            run_id=own_run(),
            max_event_age=settings.max_event_age,
        )
        nudge_daemons(graph)
    results.print(recorded.id)
    for started in recorded.started:
        results.print(f"fired: {started.reason}")
