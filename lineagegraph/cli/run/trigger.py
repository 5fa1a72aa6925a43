"""`trigger`: the rules that start jobs."""

from datetime import datetime, timedelta
from typing import Annotated

import typer
from rich.text import Text
from rich.tree import Tree

from lineagegraph.cli.connect import connected
from lineagegraph.cli.console import errors, print_json, print_rest, print_table, results
from lineagegraph.cli.formatting import clock
from lineagegraph.cli.options import At, Json, Limit, Namespace, read_until
from lineagegraph.cli.run.trigger_view import print_change, print_preview, print_why
from lineagegraph.cli.show.firings import print_firings
from lineagegraph.cli.show.in_browser import in_browser
from lineagegraph.liveness.daemons import nudge_daemons
from lineagegraph.model.triggers.trigger_json import decode_trigger
from lineagegraph.queries.find.find import find_job, find_node
from lineagegraph.queries.jobs.pages import Cut
from lineagegraph.queries.triggers.schedules import read_next
from lineagegraph.queries.triggers.triggers import (
    WaitingFor,
    find_trigger,
    page_triggers,
    read_trigger,
)
from lineagegraph.queries.triggers.upcoming import read_upcoming
from lineagegraph.queries.triggers.why import read_why
from lineagegraph.queries.triggers.why_at import read_why_at
from lineagegraph.runs.queue import queue_run, read_values, request_firing
from lineagegraph.settings import load_settings
from lineagegraph.store.triggers.catalog import TriggerRow, list_affected
from lineagegraph.store.triggers.conditions import list_unknown
from lineagegraph.store.triggers.pauses import PauseRow, get_pause
from lineagegraph.triggers.by_hand import find_redrivable, redrive
from lineagegraph.triggers.pause import describe_pause
from lineagegraph.triggers.preview.compare import compare_rules
from lineagegraph.triggers.preview.preview import preview_trigger
from lineagegraph.triggers.truths import evaluate_rule
from lineagegraph.triggers.write import delete_trigger, enable_trigger, set_trigger

app = typer.Typer(no_args_is_help=True, help="Manage and explain the rules that start jobs.")
_AHEAD = "12h"
_MOST_TIMES = 100
_TIMES = 5
Name = Annotated[str, typer.Argument(help="Trigger id or name, or the job that it starts.")]


@app.command("list")
def list_all(json: Json = False, limit: Limit = 1000) -> None:
    """List the triggers by the job that each starts."""
    with connected(load_settings()) as graph:
        found, pause = page_triggers(graph, None, Cut(limit)), graph.read(get_pause, now=None)
    print_rest(found.total - len(found.items))
    if json:
        print_json(found.items)
        return
    _print_pause(pause)
    columns = ("STARTS", "WHEN", "NAME", "ENABLED", "FIRINGS", "LATEST")
    print_table(
        columns, map(_row, found.items), "no triggers yet: define one with a pipeline and sync it"
    )


@app.command()
def show(name: Name, json: Json = False) -> None:
    """Show a trigger: its conditions, its rule and its newest firings."""
    with connected(load_settings()) as graph:
        whole = read_trigger(graph, name)
    if json:
        print_json(whole)
        return
    results.print(
        Text.assemble(whole.trigger.id, "  starts ", (whole.trigger.starts or "", "bold"))
    )
    if whole.condition:
        results.print(_tree(whole.condition))
    print_firings(list(whole.firings))


@app.command()
def why(name: Name, at: At = None, json: Json = False) -> None:
    """Explain why a trigger has fired, or which conditions are not met yet."""
    settings = load_settings()
    with connected(settings) as graph:
        found = read_why_at(graph, name, at, evaluate_rule) if at else read_why(graph, name)
        pause = None if at else graph.read(get_pause, now=None)
    if json:
        print_json(found)
        return
    _print_pause(pause)
    print_why(found)
    if browser := in_browser(settings, "trigger", found.trigger.trigger.id):
        results.print(Text.assemble("in Browser: ", browser))


def _print_pause(pause: PauseRow | None) -> None:
    if pause and not pause.is_over:
        results.print(Text(f"Paused: {describe_pause(pause)}.", "yellow"))


@app.command("next")
def next_(
    name: Annotated[
        str | None,
        typer.Argument(help="Trigger id or name, or the job that it starts (default: all)."),
    ] = None,
    until: Annotated[
        datetime | None,
        typer.Option(
            parser=read_until,
            metavar="TIME|AGE",
            help="All triggers until then, such as 06:00 or 8h (default: 12h).",
        ),
    ] = None,
    limit: Annotated[
        int | None, typer.Option("--limit", "-n", min=1, help="Maximum number of times.")
    ] = None,
    json: Json = False,
) -> None:
    """Show the next times of a trigger's schedules, or of all triggers."""
    if name is None:
        _print_upcoming(until or read_until(_AHEAD), limit or _MOST_TIMES, json)
        return
    if until is not None:
        raise typer.BadParameter("it is for all triggers: leave the name out", param_hint="--until")
    with connected(load_settings()) as graph:
        found = read_next(graph, name, limit or _TIMES)
    if json:
        print_json(found)
        return
    rows = [(clock(time), one.schedule) for one in found for time in one.times]
    print_table(("NEXT", "SCHEDULE"), sorted(rows), f"{name} waits for no time")


def _print_upcoming(until: datetime, limit: int, json: bool) -> None:
    with connected(load_settings()) as graph:
        found = graph.read(read_upcoming, until, limit)
    if json:
        print_json(found)
        return
    rows = [(f"{one.at.astimezone():%Y-%m-%d %H:%M %Z}", one.job, one.trigger) for one in found]
    empty = f"nothing is scheduled until {until.astimezone():%Y-%m-%d %H:%M %Z}"
    print_table(("NEXT", "STARTS", "TRIGGER"), rows, empty)


@app.command()
def preview(
    name: Name,
    days: Annotated[int, typer.Option(min=1, max=90, help="How many past days to check.")] = 7,
    against: Annotated[
        typer.FileText | None,
        typer.Option(metavar="RULE", help="Compare with this rule in JSON (- for standard input)."),
    ] = None,
    json: Json = False,
) -> None:
    """Show when a trigger would have fired in the past days, with reasons and parameters."""
    other = decode_trigger(against.read()) if against else None
    with connected(load_settings()) as graph:
        found = find_trigger(graph, name)
        if other:
            change = graph.read(compare_rules, found, other, span=timedelta(days=days))
            print_json(change) if json else print_change(change)
            return
        foreseen = graph.read(
            preview_trigger,
            decode_trigger(found.rule or ""),
            starts=found.job_key or "",
            namespace=found.namespace or "",
            span=timedelta(days=days),
        )
    print_json(foreseen) if json else print_preview(foreseen)


@app.command()
def affected(
    node: Annotated[str, typer.Argument(help="Job or dataset that you want to change.")],
    json: Json = False,
) -> None:
    """Show the triggers that would change if a job or dataset were deleted or renamed."""
    with connected(load_settings()) as graph:
        found = graph.read(list_affected, key=find_node(graph, node).key)
    if json:
        print_json(found)
        return
    columns = ("TRIGGER", "ROLE", "STARTS", "WHEN", "HOLDS", "ORIGIN")
    rows = (
        (one.name or one.id, one.role, one.starts, one.text, str(one.held), one.origin or "")
        for one in found
    )
    print_table(columns, rows, f"no trigger starts or waits for {node}")


@app.command()
def rule(name: Name) -> None:
    """Print a trigger's rule as JSON, which `trigger put` accepts."""
    with connected(load_settings()) as graph:
        trigger = find_trigger(graph, name)
    print_json(decode_trigger(trigger.rule or ""))


@app.command()
def put(
    job: Annotated[str, typer.Argument(help="Pipeline that the trigger starts.")],
    name: Annotated[str, typer.Argument(help="Trigger name.")],
    file: Annotated[
        typer.FileText, typer.Argument(metavar="RULE", help="JSON file, or - for standard input.")
    ],
    namespace: Namespace = None,
    suspended: Annotated[bool, typer.Option(help="Create it disabled.")] = False,
) -> None:
    """Create a trigger from a rule in JSON, or change the trigger of that name."""
    stated = decode_trigger(file.read())
    with connected(load_settings()) as graph:
        found = find_job(graph, job, namespace)
        id_ = graph.write(
            set_trigger,
            stated,
            starts=found.key,
            name=name,
            namespace=found.namespace,
            enabled=not suspended,
            origin="request",
        )
        unknown = graph.read(list_unknown, keys=[found.key])
    results.print(id_)
    for one in unknown:
        if one.trigger == name:
            errors.print(f"{name} waits for {one.name}, which is unknown: check its name")


@app.command()
def enable(name: Name) -> None:
    """Enable a trigger: it fires on events from now on."""
    _enable(name, enabled=True)


@app.command()
def disable(name: Name) -> None:
    """Disable a trigger; events that arrive while it is disabled never fire it."""
    _enable(name, enabled=False)


@app.command()
def delete(name: Name) -> None:
    """Delete a trigger; its firings stay. A trigger of a definition file returns at `sync`."""
    with connected(load_settings()) as graph:
        found = find_trigger(graph, name)
        graph.write(delete_trigger, starts=found.job_key or "", name=found.name or "")
    results.print(f"{found.name} is deleted")


@app.command()
def fire(
    name: Name,
    param: Annotated[
        list[str] | None,
        typer.Option("--param", "-p", help="Parameter as name=value (repeatable)."),
    ] = None,
    consume: Annotated[
        bool, typer.Option("--consume", help="Consume the trigger's pending occurrences.")
    ] = False,
) -> None:
    """Start a trigger's job now, whatever its condition."""
    with connected(load_settings()) as graph:
        found = find_trigger(graph, name)
        request = request_firing(found, read_values(param or []), consume=consume)
        queued = queue_run(graph, request)
    results.print(queued.run_id)
    if not queued.has_daemon:
        errors.print("no daemon is running: start one with `lineagegraph up`")


@app.command("redrive")
def redrive_(
    name: Name,
    key: Annotated[
        list[str] | None, typer.Argument(help="Keys of firings (default: all dead letters).")
    ] = None,
) -> None:
    """Start the runs of dead letters again, after their cause has been fixed."""
    with connected(load_settings()) as graph:
        found = find_trigger(graph, name)
        keys = graph.read(find_redrivable, found.id, key or ())
        started = graph.write(redrive, keys)
        nudge_daemons(graph)
    for one in started:
        results.print(one.run_id or "")
    if not started:
        errors.print(f"{found.name} has no dead letter that can be started")


def _enable(name: str, *, enabled: bool) -> None:
    with connected(load_settings()) as graph:
        found = find_trigger(graph, name)
        graph.write(enable_trigger, trigger_id=found.id, enabled=enabled)
    results.print(f"{found.name} is {'enabled' if enabled else 'suspended'}")


def _row(trigger: TriggerRow) -> tuple[str | Text, ...]:
    return (
        Text(trigger.starts or "", "bold"),
        trigger.text or "",
        trigger.name or trigger.id,
        "yes" if trigger.enabled else "no",
        str(trigger.firings),
        clock(trigger.fired_at),
    )


def _tree(waiting: WaitingFor) -> Tree:
    found = waiting.condition
    tree = Tree(Text(found.operator if waiting.operands else found.text or ""))
    if found.occurrences:
        tree.add(Text(f"{found.occurrences} in hand", "green"))
    if found.next_at:
        tree.add(Text(f"next {clock(found.next_at)}", "dim"))
    for operand in waiting.operands:
        tree.add(_tree(operand))
    return tree
