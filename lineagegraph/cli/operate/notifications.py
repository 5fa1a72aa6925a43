"""`notifications` and `notifications test`."""

from datetime import UTC, datetime
from typing import Annotated

import typer
from rich.text import Text

from lineagegraph.cli.connect import connected
from lineagegraph.cli.console import is_wide, print_json, print_table, results
from lineagegraph.cli.formatting import first_line, moment, run_id
from lineagegraph.cli.options import Json, Limit
from lineagegraph.errors import NotDelivered, NotFound
from lineagegraph.model.runs.ids import new_id
from lineagegraph.outbox.notifications.channels import open_channels
from lineagegraph.outbox.notifications.message import trial_message
from lineagegraph.queries.jobs.outbox import read_notifications
from lineagegraph.secrets import mask_text
from lineagegraph.settings import load_settings
from lineagegraph.store.outbox.notifications import NotificationRow

app = typer.Typer(help="List notifications and their delivery, and send a test.")


@app.callback(invoke_without_command=True)
def notifications(context: typer.Context, limit: Limit = 20, json: Json = False) -> None:
    """List the newest notifications and whether each was delivered."""
    if context.invoked_subcommand:
        return
    with connected(load_settings()) as graph:
        found = read_notifications(graph, limit)
    if json:
        print_json(found)
        return
    columns = ("CREATED", "STATE", "WHAT", "JOB", "ID", "CHANNEL", "TRIED", "ERROR")
    print_table(columns, map(_row, found), "no notifications yet: see docs/notifications.md")


@app.command()
def test(
    route: Annotated[str, typer.Argument(help="Name of a route in the settings.")],
) -> None:
    """Send a test notification through a route now, once."""
    routes = {each.channel: each for each in load_settings().notify}
    if route not in routes:
        has = ", ".join(sorted(routes)) or "none"
        raise NotFound(f"no route {route!r}: the setting notify has {has}")
    channel = open_channels([routes[route]])[route]
    try:
        channel.send(trial_message(datetime.now(UTC), new_id()))
    except Exception as error:
        said = str(error) if isinstance(error, NotDelivered) else f"{type(error).__name__}: {error}"
        raise NotDelivered(f"route {route}: {mask_text(said)}") from None
    results.print(f"sent through {route}")


def _row(found: NotificationRow) -> tuple[str | Text, ...]:
    wide = is_wide()
    return (
        moment(found.created_at, wide),
        found.state,
        found.type,
        found.job,
        run_id(found.subject, wide),
        found.channel,
        str(found.attempts),
        first_line(found.error),
    )
