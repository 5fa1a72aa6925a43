"""`forwards`: targets that events are forwarded to, and their delivery."""

from datetime import UTC, datetime
from typing import Annotated

import typer
from rich.text import Text

from lineagegraph.cli.connect import connected
from lineagegraph.cli.console import is_wide, print_json, print_table, results
from lineagegraph.cli.formatting import first_line, moment
from lineagegraph.cli.options import Json, Limit
from lineagegraph.errors import NotDelivered, NotFound
from lineagegraph.outbox.forwarding import (
    forget_target,
    hide_secrets,
    open_transport,
    redrive_target,
)
from lineagegraph.outbox.forwarding.trial import trial_event
from lineagegraph.queries.jobs.outbox import read_refused, read_targets
from lineagegraph.settings import load_settings
from lineagegraph.store.outbox.forwards import RefusedEvent, TargetRow

app = typer.Typer(help="Show how far behind each forwarding target is, and resend events.")
Target = Annotated[str, typer.Argument(help="Target name.")]


@app.callback(invoke_without_command=True)
def forwards(context: typer.Context, json: Json = False) -> None:
    """List the targets and how far behind each is."""
    if context.invoked_subcommand:
        return
    with connected(load_settings()) as graph:
        found = read_targets(graph)
    if json:
        print_json(found)
        return
    columns = (
        "TARGET",
        "SENDS",
        "WAITING",
        "OLDEST",
        "SENT",
        "LAST",
        "REFUSED",
        "DROPPED",
        "ERROR",
    )
    print_table(columns, map(_row, found), "no forwarding targets: see docs/forwarding.md")


@app.command()
def refused(limit: Limit = 20, json: Json = False) -> None:
    """List the events that targets refused, newest first."""
    with connected(load_settings()) as graph:
        found = read_refused(graph, limit)
    if json:
        print_json(found)
        return
    columns = ("REFUSED", "TARGET", "EVENT", "ERROR")
    print_table(columns, map(_refused_row, found), "no refused events")


@app.command()
def redrive(target: Target) -> None:
    """Resend the events that a target refused, and retry it at once if it was unreachable."""
    with connected(load_settings()) as graph:
        count = redrive_target(graph, target)
    results.print(f"{count} waiting for {target} again")


@app.command()
def forget(target: Target) -> None:
    """Delete a target that no daemon is configured with, and all events that wait for it."""
    with connected(load_settings()) as graph:
        forget_target(graph, target)
    results.print(f"forgot {target}")


@app.command()
def test(target: Target) -> None:
    """Send one event about a job `lineagegraph.test` to a configured target now."""
    settings = {one.name: one for one in load_settings().forward}
    if target not in settings:
        has = ", ".join(sorted(settings)) or "none"
        raise NotFound(f"no target {target!r}: the setting forward has {has}")
    try:
        open_transport(settings[target]).send(trial_event(datetime.now(UTC)))
    except Exception as error:
        text = str(error) if isinstance(error, NotDelivered) else f"{type(error).__name__}: {error}"
        hidden = hide_secrets(text, settings[target])
        raise NotDelivered(f"target {target}: {hidden}") from None
    results.print(f"sent to {target}")


def _row(found: TargetRow) -> tuple[str | Text, ...]:
    wide = is_wide()
    return (
        found.name,
        found.send,
        str(found.waiting),
        moment(found.oldest_at, wide),
        str(found.sent),
        moment(found.sent_at, wide),
        str(found.refused),
        str(found.dropped),
        first_line(found.error),
    )


def _refused_row(found: RefusedEvent) -> tuple[str | Text, ...]:
    return (
        moment(found.refused_at, is_wide()),
        found.target,
        found.event_id[:12],
        first_line(found.error),
    )
