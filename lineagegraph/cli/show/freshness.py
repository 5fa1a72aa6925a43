"""`freshness [NODE…]`, `freshness set|unset`: which jobs and datasets are fresh, and why not."""

from datetime import timedelta
from typing import Annotated, Any

import msgspec
import typer
from rich.text import Text
from typer.core import TyperGroup

from lineagegraph.admin import freshness as curation
from lineagegraph.admin.source_sensor import SOURCE_INTERVAL, SourceSensor, source_sensor
from lineagegraph.cli.connect import connected
from lineagegraph.cli.console import print_json, print_table, results
from lineagegraph.cli.formatting import clock
from lineagegraph.cli.options import Json
from lineagegraph.model.freshness.describe import describe_terms
from lineagegraph.model.freshness.standing import FreshState, Terms, checked_terms
from lineagegraph.model.freshness.terms import Counts, Freshness
from lineagegraph.model.waits import SHORTEST_POKE
from lineagegraph.queries.analysis.stale_why import find_stale_why
from lineagegraph.queries.find.find import find_node, node_id
from lineagegraph.queries.freshness.freshness import (
    Standing,
    describe_staleness,
    read_standings,
    with_causes,
)
from lineagegraph.settings import load_settings, read_age
from lineagegraph.text import format_age, read_duration

_SHOW = "show"
_STYLES = {
    FreshState.FRESH: "green",
    FreshState.DUE: "yellow",
    FreshState.STALE: "bold red",
    FreshState.UNKNOWN: "magenta",
}


class _ShowUnlessTold(TyperGroup):
    """Runs `show` if no subcommand is given; write job:… for a node named like one.

    The help stays that of the group.
    """

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Insert the command `show` if it is missing."""
        is_told = bool(args) and (args[0] in self.commands or args[0] in ("-h", "--help"))
        return super().parse_args(ctx, args if is_told else [_SHOW, *args])


app = typer.Typer(
    cls=_ShowUnlessTold,
    help="Show which jobs and datasets are fresh, and set how fresh they must be.",
)
Node = Annotated[str, typer.Argument(help="job:NAMESPACE:NAME, dataset:NAMESPACE:NAME or a name.")]


def _read_length(text: str) -> timedelta:
    try:
        return read_age(text)
    except ValueError as error:
        raise typer.BadParameter(str(error)) from None


def _read_sensor(text: str) -> SourceSensor:
    try:
        stated = msgspec.json.decode(text)
    except (msgspec.DecodeError, RecursionError) as error:
        raise typer.BadParameter(str(error)) from None
    if not isinstance(stated, dict) or not isinstance(stated.get("kind"), str):
        raise typer.BadParameter('write an object with its kind, such as {"kind": "sql", …}')
    kind, name = stated.pop("kind"), stated.pop("name", None)
    interval = read_duration(stated.pop("pokeInterval", SOURCE_INTERVAL))
    if interval is None or interval < SHORTEST_POKE:
        raise typer.BadParameter("pokeInterval is no duration such as 5m")
    return source_sensor(kind, stated, name=name and str(name), poke_interval=interval)


@app.command(_SHOW)
def show(
    nodes: Annotated[list[str] | None, typer.Argument(metavar="[NODE…]")] = None,
    stale: Annotated[bool, typer.Option("--stale", help="Only stale ones.")] = False,
    json: Json = False,
) -> None:
    """Show how fresh the given jobs and datasets are (default: all with freshness terms)."""
    settings = load_settings()
    with connected(settings) as graph:
        keys = [find_node(graph, node).key for node in nodes] if nodes else None
        found = read_standings(graph, settings.zone, keys)
        found = [one for one in found if one.state is FreshState.STALE or not stale]
        found = with_causes(graph, settings.zone, found)
    if json:
        print_json([_shown(one) for one in found])
        return
    empty = (
        "nothing is stale"
        if stale
        else "no freshness terms: set some with `lineagegraph freshness set NODE`"
    )
    print_standings(found, empty)


@app.command()
def why(node: Node, json: Json = False) -> None:
    """Show why a table is stale: its writer, the trigger and what it lacks, cause and owners."""
    settings = load_settings()
    with connected(settings) as graph:
        found = find_stale_why(graph, settings.zone, node)
    if json:
        print_json(found)
        return
    results.print(found.node)
    for name, text in found.lines():
        results.print(f"{name:<8} {text}", highlight=False, markup=False)


@app.command("set")
def set_(
    node: Node,
    max_age: Annotated[
        timedelta | None,
        typer.Option(parser=_read_length, metavar="AGE", help="Maximum age, such as 24h."),
    ] = None,
    since: Annotated[
        str | None,
        typer.Option(
            help="day, hour or a cron expression: it must be newer than the latest such time."
        ),
    ] = None,
    zone: Annotated[
        str | None, typer.Option(help="Time zone of --since (default: the setting zone).")
    ] = None,
    counts: Annotated[
        Counts | None,
        typer.Option(help="Which time of a job's run counts: its end, or the end of its data."),
    ] = None,
    grace: Annotated[
        timedelta,
        typer.Option(
            parser=_read_length, metavar="AGE", help="Extra time before it counts as late."
        ),
    ] = "30m",  # type: ignore[assignment]
    per: Annotated[
        str | None,
        typer.Option(metavar="KEY", help="Judge each value of this partition key by itself."),
    ] = None,
    expected: Annotated[
        list[str] | None,
        typer.Option(metavar="VALUE", help="A value of --per that must appear; may be repeated."),
    ] = None,
    sensor: Annotated[
        SourceSensor | None,
        typer.Option(
            parser=_read_sensor,
            metavar="JSON",
            help="Sensor that answers when it was last new, for data that nothing reports: its "
            "kind, its poke fields, and optionally name and pokeInterval.",
        ),
    ] = None,
) -> None:
    """Set how fresh a job or dataset must be."""
    fresh = Freshness(
        max_age=max_age.total_seconds() if max_age is not None else None,
        since=since,
        zone=zone,
        counts=counts,
    )
    terms = checked_terms(
        Terms(
            freshness=fresh,
            grace=grace.total_seconds(),
            per=per,
            expected=tuple(expected or ()),
            sensor=sensor.name if sensor else None,
        )
    )
    with connected(load_settings()) as graph:
        found = find_node(graph, node)
        curation.set_terms(graph, found.key, terms, source=sensor)
    results.print(f"{node_id(found)}: {describe_terms(terms)}")


@app.command()
def unset(node: Node) -> None:
    """Remove freshness terms that were set; those of the definition apply again."""
    with connected(load_settings()) as graph:
        found = find_node(graph, node)
        curation.unset_terms(graph, found.key, found.name)
    results.print(f"{node_id(found)} has no freshness terms of its own any more")


def print_standings(found: list[Standing], empty: str) -> None:
    """Print a table of how fresh jobs and datasets are."""
    columns = ("STATE", "NODE", "AGE", "SINCE", "TERMS", "WHY")
    print_table(columns, map(_row, found), empty)


def _row(one: Standing) -> tuple[str | Text, ...]:
    judged = one.judged
    return (
        Text(judged.state.value, _STYLES[judged.state]),
        one.node,
        format_age(judged.age),
        clock(judged.since),
        describe_terms(one.about.terms),
        describe_staleness(one),
    )


def _shown(one: Standing) -> dict[str, Any]:
    about, judged = one.about, one.judged
    terms = msgspec.structs.asdict(about.terms.freshness)
    return {
        "node": one.node,
        "namespace": about.namespace,
        "name": about.name,
        "state": judged.state,
        "age_seconds": judged.age,
        "last_at": about.last_at,
        "since": judged.since,
        "until": judged.until,
        "terms": terms
        | {
            "grace": about.terms.grace,
            "per": about.per,
            "expected": about.expected,
            "sensor": about.sensor and about.sensor.name,
            "stated": about.stated,
        },
        "set_by": about.set_by,
        "why": describe_staleness(one),
        "cause": one.cause,
        "path": [step.node for step in one.path],
        "parts": [_shown_part(part) for part in one.parts],
    }


def _shown_part(one: Standing) -> dict[str, Any]:
    return {
        "part": one.part,
        "state": one.state,
        "age_seconds": one.judged.age,
        "last_at": one.about.last_at,
        "since": one.judged.since,
        "until": one.judged.until,
    }
