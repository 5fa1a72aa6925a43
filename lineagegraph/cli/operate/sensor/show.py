"""A sensor and its waits as text."""

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer
from rich.text import Text
from rich.tree import Tree

from lineagegraph.cli.connect import connected
from lineagegraph.cli.console import errors, is_wide, print_json, print_rest, print_table, results
from lineagegraph.cli.formatting import clock, moment, run_id
from lineagegraph.cli.options import Json, Limit, RunId
from lineagegraph.cli.show.lineage import WRITERS, LineageFormat
from lineagegraph.cli.written_file import write_file
from lineagegraph.drawing.sensor import draw_sensor
from lineagegraph.drawing.svg import to_svg
from lineagegraph.queries.arrivals import Arrivals
from lineagegraph.queries.sensors import (
    SensorDetails,
    WhyWaits,
    describe_sensor,
    next_poke,
    read_sensor,
    read_sensors,
    read_waits_of,
)
from lineagegraph.settings import load_settings
from lineagegraph.store.sensors.sensor_views import (
    Holder,
    SensorRow,
    SensorWait,
    count_sensors,
)
from lineagegraph.text import format_duration

_LONGEST_CURSOR = 200
_STYLES = {
    "success": "green",
    "failed": "bold red",
    "cancelled": "dim",
    "skipped": "dim",
    "up_for_retry": "yellow",
}


def print_sensor(found: SensorDetails) -> None:
    """Print a sensor with the runs that wait for it and the triggers that watch it."""
    tree = Tree(
        Text.assemble((describe_sensor(found.sensor), "bold"), (f"  {found.sensor.id}", "dim"))
    )
    for line in _standing(found.sensor, found.holder):
        tree.add(line)
    for wait in found.waits:
        tree.add(Text.assemble((wait.job or wait.run_id, "magenta"), "  ", _state(wait)))
    for watcher in found.watchers:
        suspended = "" if watcher.enabled else ", suspended"
        tree.add(Text.assemble("trigger of ", (watcher.starts or watcher.id, "magenta"), suspended))
    results.print(tree)


def print_why(found: list[WhyWaits]) -> None:
    """Print the sensor that a run waits for, and why it is still waiting."""
    for one in found:
        tree = Tree(
            Text.assemble((one.wait.job or one.wait.run_id, "magenta"), "  ", _state(one.wait))
        )
        below = tree.add(Text.assemble((describe_sensor(one.sensor), "bold")))
        for term in _terms(one.wait):
            tree.add(term)
        if one.wait.outcome is None:
            for line in _standing(one.sensor, one.holder):
                below.add(line)
        if one.arrivals:
            for said in describe_arrivals(one.arrivals):
                tree.add(said)
        results.print(tree)


def describe_arrivals(arrivals: Arrivals) -> Iterator[str]:
    """Yield when the target came on past days, and when it is expected."""
    if arrivals.expected_at:
        yield f"expected at {clock(arrivals.expected_at)}, the median of {len(arrivals.past)} days"
    if arrivals.past:
        came = (f"{'by ' if one.was_there else ''}{clock(one.came_at)}" for one in arrivals.past)
        yield f"came on past days: {', '.join(came)}"


def _state(wait: SensorWait) -> Text:
    message = f" ({wait.message})" if wait.message else ""
    at = wait.settled_at or wait.began_at
    since = f" {clock(at)}" if wait.settled_at else f" since {clock(at)}"
    state = wait.outcome or wait.state
    return Text.assemble((state, _STYLES.get(state, "cyan")), since, message)


def _terms(wait: SensorWait) -> Iterator[str]:
    attempt = f"attempt {wait.attempt} of {wait.retries + 1}"
    if wait.outcome is None:
        yield f"{attempt}, until {clock(wait.attempt_ends_at)}; in all until {clock(wait.deadline)}"
    yield from wait.log
    if wait.poke_interval is not None:
        soft = ", skipped rather than failed" if wait.soft_fail else ""
        yield f"poked every {format_duration(wait.poke_interval)}{soft}"


def _standing(sensor: SensorRow, holder: Holder | None) -> Iterator[Text]:
    answer = {True: "true", False: "false", None: "without an answer"}[sensor.is_true]
    if sensor.poked_at is None:
        yield Text("not poked yet")
    else:
        yield Text(f"last poke {clock(sensor.poked_at)}: {answer}{_next(sensor)}")
    if sensor.interval is not None:
        yield Text(f"poked every {_interval(sensor)}")
    if sensor.cursor is not None:
        yield Text(f"cursor {_cut(sensor.cursor)}, set {clock(sensor.cursor_at)}")
    if sensor.errors:
        yield Text(f"{sensor.errors} errors in a row: {sensor.error}", "red")
    if sensor.exclusive_reason:
        yield Text(f"exclusive, so each run polls it itself: {sensor.exclusive_reason}", "yellow")
    elif holder is None:
        yield Text(
            f"shard {sensor.shard} has no sensor process: start one with `lineagegraph up`", "red"
        )
    elif holder.pid is None:
        yield Text(
            f"shard {sensor.shard} is held by {holder.id}, which has stopped reporting", "red"
        )
    else:
        yield Text(f"shard {sensor.shard} is held by process {holder.pid} on {holder.host}", "dim")


def _interval(sensor: SensorRow) -> str:
    interval = format_duration(sensor.interval or 0.0)
    if sensor.poke_backoff <= 1:
        return interval
    longest = format_duration(sensor.max_poke_interval)
    return f"{interval}, times {sensor.poke_backoff:g} while it is false, up to {longest}"


def _cut(cursor: str) -> str:
    return cursor if len(cursor) <= _LONGEST_CURSOR else f"{cursor[:_LONGEST_CURSOR]}…"


def _next(sensor: SensorRow) -> str:
    at = next_poke(sensor)
    return f", next by {clock(at)}" if at else ""


Prefix = Annotated[str, typer.Argument(metavar="SENSOR", help="Sensor id, or a unique prefix.")]
_ANSWERS = {True: "true", False: "not yet", None: ""}


def list_all(
    kind: Annotated[str | None, typer.Option(help="Only sensors of this kind.")] = None,
    limit: Limit = 1000,
    json: Json = False,
) -> None:
    """List the sensors, those with the most waiting runs first."""
    with connected(load_settings()) as graph:
        found = read_sensors(graph, kind, limit=limit)
        total = graph.read(count_sensors, kind=kind)
    print_rest(total - len(found))
    if json:
        print_json(found)
        return
    columns = ("SENSOR", "LOOKS AT", "WAITS", "TRIGGERS", "ANSWER", "POKED", "ERRORS")
    print_table(columns, map(_row, found), "no sensors")


def show(
    sensor: Prefix,
    svg: Annotated[Path | None, typer.Option(help="Write a picture to this file.")] = None,
    format: Annotated[LineageFormat, typer.Option(help="Output format.")] = LineageFormat.TEXT,  # noqa: A002
    json: Json = False,
) -> None:
    """Show a sensor, the runs that wait for it and the jobs it triggers."""
    with connected(load_settings()) as graph:
        found = read_sensor(graph, sensor)
    picture = draw_sensor(found, describe_sensor(found.sensor))
    if svg is not None:
        write_file(svg, to_svg(*picture))
        results.print(str(svg))
    elif json or format is LineageFormat.JSON:
        print_json(found)
    elif format in WRITERS:
        print(WRITERS[format](*picture), end="")
    else:
        print_sensor(found)


def why(run: RunId, json: Json = False) -> None:
    """Explain why a run is waiting, and when what it waits for came on past days."""
    with connected(load_settings()) as graph:
        found = read_waits_of(graph, run, arrivals=True)
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
        Text(describe_sensor(row), "bold"),
        str(row.waits),
        str(row.watches or ""),
        _ANSWERS[row.is_true],
        moment(row.poked_at, wide),
        Text(f"{row.errors}: {row.error}" if row.errors else "", "red"),
    )
