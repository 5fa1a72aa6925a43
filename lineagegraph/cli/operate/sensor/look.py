"""`sensor list`, `show` and `why`."""

from pathlib import Path
from typing import Annotated

import typer
from rich.text import Text

from lineagegraph.cli.connect import connected
from lineagegraph.cli.console import errors, is_wide, print_json, print_table, results
from lineagegraph.cli.formatting import moment, run_id
from lineagegraph.cli.operate.sensor.text import print_sensor, print_why
from lineagegraph.cli.options import Json, Limit, RunId
from lineagegraph.cli.show.lineage import WRITERS, LineageFormat
from lineagegraph.drawing.sensor import draw_sensor
from lineagegraph.drawing.svg import to_svg
from lineagegraph.queries.sensors.describe import say_sensor
from lineagegraph.queries.sensors.sensors import read_sensor, read_sensors, read_waits_of
from lineagegraph.settings import load_settings
from lineagegraph.store.sensors.sensor_views import SensorRow

_ANSWERS = {True: "true", False: "not yet", None: ""}


def list_all(
    kind: Annotated[str | None, typer.Option(help="Only sensors of this kind.")] = None,
    limit: Limit = 1000,
    json: Json = False,
) -> None:
    """List the sensors, those with the most waiting runs first."""
    with connected(load_settings()) as graph:
        found = read_sensors(graph, kind, limit=limit)
    if json:
        print_json(found)
        return
    columns = ("SENSOR", "LOOKS AT", "WAITS", "TRIGGERS", "ANSWER", "POKED", "ERRORS")
    print_table(columns, map(_row, found), "nothing is waited for")


def show(
    sensor: Annotated[str, typer.Argument(metavar="SENSOR", help="Sensor id, or a unique prefix.")],
    svg: Annotated[Path | None, typer.Option(help="Write a picture to this file.")] = None,
    format: Annotated[LineageFormat, typer.Option(help="Output format.")] = LineageFormat.TEXT,  # noqa: A002
    json: Json = False,
) -> None:
    """Show a sensor, the runs that wait for it and the jobs it triggers."""
    with connected(load_settings()) as graph:
        found = read_sensor(graph, sensor)
    picture = draw_sensor(found, say_sensor(found.sensor))
    if svg is not None:
        svg.write_text(to_svg(*picture), encoding="utf-8")
        results.print(str(svg))
    elif json or format is LineageFormat.JSON:
        print_json(found)
    elif format in WRITERS:
        print(WRITERS[format](*picture), end="")
    else:
        print_sensor(found)


def why(run: RunId, json: Json = False) -> None:
    """Explain why a run is waiting: since when, its last poke, and which process pokes next."""
    with connected(load_settings()) as graph:
        found = read_waits_of(graph, run)
    if json:
        print_json(found)
    elif not found:
        errors.print(f"run {run} has never waited for a sensor")
    else:
        print_why(found)


def _row(row: SensorRow) -> tuple[str | Text, ...]:
    wide = is_wide()
    return (
        run_id(row.id, wide),
        Text(say_sensor(row), "bold"),
        str(row.waits),
        str(row.watches or ""),
        _ANSWERS[row.is_true],
        moment(row.poked_at, wide),
        Text(f"{row.errors}: {row.error}" if row.errors else "", "red"),
    )
