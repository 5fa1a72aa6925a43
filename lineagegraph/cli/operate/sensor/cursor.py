"""`sensor cursor`: show, set or clear the cursor of a sensor."""

from typing import Annotated

import msgspec
import typer

from lineagegraph.cli.connect import connected
from lineagegraph.cli.console import print_json, results
from lineagegraph.cli.operate.sensor.show import Prefix
from lineagegraph.cli.options import Json
from lineagegraph.queries.sensors import read_sensor
from lineagegraph.settings import load_settings
from lineagegraph.waits.cursors import set_cursor_by_hand


def cursor(
    sensor: Prefix,
    value: Annotated[
        str | None,
        typer.Option("--set", metavar="JSON", help="New cursor: items behind it are new."),
    ] = None,
    clear: Annotated[
        bool, typer.Option("--clear", help="Remove the cursor: all items are new again.")
    ] = False,
    json: Json = False,
) -> None:
    """Show the cursor of a sensor, or set or clear it."""
    if value is not None and clear:
        raise typer.BadParameter("--set and --clear exclude each other")
    with connected(load_settings()) as graph:
        found = read_sensor(graph, sensor, limit=1).sensor
        if value is not None or clear:
            set_cursor_by_hand(graph, found, value)
            found = read_sensor(graph, found.id, limit=1).sensor
    if json:
        kept = None if found.cursor is None else msgspec.Raw(found.cursor.encode())
        print_json({"sensor": found.id, "cursor": kept, "cursor_at": found.cursor_at})
        return
    results.print(found.cursor or "no cursor", markup=False, highlight=False, soft_wrap=True)
