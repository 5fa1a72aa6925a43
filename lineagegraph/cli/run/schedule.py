"""`schedule add|update|list|delete`: schedules, written as a sentence."""

from typing import Annotated, Any

import typer

from lineagegraph.cli.connect import connected
from lineagegraph.cli.console import print_json, print_table, results
from lineagegraph.cli.options import Json, Namespace
from lineagegraph.errors import Ambiguous, NotFound
from lineagegraph.graph import Graph
from lineagegraph.model.triggers.describe import describe_condition
from lineagegraph.model.triggers.schedule_sentence import ScheduleSentence, parse_sentence
from lineagegraph.model.triggers.trigger_json import decode_trigger
from lineagegraph.queries.find.find import find_job
from lineagegraph.queries.triggers.schedules import (
    Schedule,
    check_application,
    list_all_schedules,
    list_starting,
)
from lineagegraph.settings import load_settings
from lineagegraph.store.triggers.schedules import Program, ScheduleRow
from lineagegraph.triggers.schedules import (
    SchedulePath,
    add_schedule,
    remove_schedule,
    update_schedule,
)
from lineagegraph.triggers.sentence import find_started, rule_members

app = typer.Typer(
    no_args_is_help=True, help="Start a pipeline after another one: schedules written as sentences."
)

Sentence = Annotated[
    list[str],
    typer.Argument(
        metavar="NAME for TYPE PROGRAM [version V] [description D] after program P type T "
        "status S [or S] [namespace N] [application A] [version V] [concurrency N] "
        "[not-failing P] [properties JSON]",
        help="TYPE is workflow; T is workflow or spark; S is completed, failed or killed. "
        "Parts left out of P are taken from PROGRAM.",
        show_default=False,
    ),
]

# `version -SNAPSHOT` is a part of the sentence, no option.
_WORDS = {"ignore_unknown_options": True}


@app.command(context_settings=_WORDS)
def add(sentence: Sentence) -> None:
    """Create a schedule; it is suspended until it is enabled."""
    parsed = parse_sentence(sentence)
    with connected(load_settings()) as graph:
        started = _started(graph, parsed)
        rule = decode_trigger(_members(graph, parsed, started))
        graph.write(add_schedule, _place(parsed, started), started.name, rule)
    results.print(
        f"schedule {parsed.name} is created and suspended: enable it with "
        f"`lineagegraph trigger enable {parsed.name}`"
    )


@app.command("list")
def list_all(
    program: Annotated[
        str | None, typer.Argument(help="Only schedules that start this pipeline.")
    ] = None,
    json: Json = False,
) -> None:
    """List schedules with the pipeline that each starts."""
    with connected(load_settings()) as graph:
        key = find_job(graph, program).key if program else None
        found = list_starting(graph, key) if key else list_all_schedules(graph)
    if json:
        print_json([one.row for one in found])
        return
    columns = ("SCHEDULE", "STARTS", "WHEN", "APPLICATION", "ENABLED")
    empty = "no schedules yet: add one with `schedule add`"
    print_table(columns, map(_row, found), f"no schedule starts {program}" if program else empty)


@app.command()
def delete(
    name: Annotated[str, typer.Argument(help="Name or id of the schedule.")],
    namespace: Namespace = None,
    application: Annotated[
        str | None, typer.Option(help="Application of the schedule, if several have the name.")
    ] = None,
) -> None:
    """Delete a schedule; its firings stay. One that a definition states returns at `sync`."""
    with connected(load_settings()) as graph:
        found = _find(graph, name, namespace, application)
        graph.write(remove_schedule, SchedulePath(found.namespace, found.application, found.name))
    results.print(f"schedule {found.name} is deleted")


def _find(graph: Graph, name: str, namespace: str | None, application: str | None) -> ScheduleRow:
    rows = [
        row
        for row, _ in list_all_schedules(graph)
        if name in (row.name, row.id)
        and namespace in (None, row.namespace)
        and application in (None, row.application)
    ]
    if not rows:
        raise NotFound(f"no schedule {name!r}: `lineagegraph schedule list` lists them")
    if len(rows) > 1:
        where = ", ".join(f"{row.namespace}/{row.application}: {row.id}" for row in rows)
        raise Ambiguous(f"several schedules are called {name!r}: use an id ({where})")
    return rows[0]


def _row(schedule: Schedule) -> tuple[str, ...]:
    row, rule = schedule
    enabled = "yes" if row.enabled else "no"
    return row.name, row.program, describe_condition(rule.when), row.application, enabled


@app.command(context_settings=_WORDS)
def update(sentence: Sentence) -> None:
    """Change a schedule; description, constraints and properties stay if left out."""
    parsed = parse_sentence(sentence)
    with connected(load_settings()) as graph:
        started = _started(graph, parsed)
        members = _members(graph, parsed, started)
        place = _place(parsed, started)
        graph.write(update_schedule, place, started.name, members, adds_constraints=True)
    results.print(f"schedule {parsed.name} is changed")


def _started(graph: Graph, parsed: ScheduleSentence) -> Program:
    found = find_job(graph, parsed.program)
    started = graph.read(find_started, found.namespace, found.fqn, parsed.type)
    check_application(graph, started.namespace, started.application, _version(parsed.version))
    return started


def _members(graph: Graph, parsed: ScheduleSentence, started: Program) -> dict[str, Any]:
    other = parsed.not_failing
    healthy = find_job(graph, other, started.namespace).fqn if other else None
    return rule_members(parsed, started, _watched(graph, parsed, started), healthy)


def _watched(graph: Graph, parsed: ScheduleSentence, started: Program) -> str:
    after = parsed.after
    namespace = after.namespace or started.namespace
    application = after.application or started.application
    check_application(graph, namespace, application, _version(after.version))
    return find_job(graph, after.name, namespace).fqn


def _version(parsed: str | None) -> str | None:
    return None if parsed == "-SNAPSHOT" else parsed


def _place(parsed: ScheduleSentence, started: Program) -> SchedulePath:
    return SchedulePath(started.namespace, started.application, parsed.name)
