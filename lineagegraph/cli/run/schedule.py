"""`schedule add|update`: schedules written as a sentence."""

from typing import Annotated

import typer

from lineagegraph.cli.connect import connected
from lineagegraph.cli.console import results
from lineagegraph.graph import Graph
from lineagegraph.model.triggers.schedule_sentence import ScheduleSentence, parse_sentence
from lineagegraph.model.triggers.trigger_json import decode_trigger
from lineagegraph.queries.find.find import find_job
from lineagegraph.queries.triggers.schedules import check_application
from lineagegraph.settings import load_settings
from lineagegraph.store.triggers.schedules import Program
from lineagegraph.triggers.schedules import SchedulePath, add_schedule, update_schedule
from lineagegraph.triggers.sentence import find_started, rule_members

app = typer.Typer(
    no_args_is_help=True, help="Start a pipeline after another one: schedules written as sentences."
)

Sentence = Annotated[
    list[str],
    typer.Argument(
        metavar="NAME for TYPE PROGRAM [version V] [description D] after program P type T "
        "status S [or S] [namespace N] [application A] [version V] [concurrency N] "
        "[properties JSON]",
        help="TYPE is workflow; T is workflow or spark; S is completed, failed or killed. "
        "Parts left out of P are taken from PROGRAM.",
        show_default=False,
    ),
]


@app.command()
def add(sentence: Sentence) -> None:
    """Create a schedule; it is suspended until it is enabled."""
    parsed = parse_sentence(sentence)
    with connected(load_settings()) as graph:
        started = _started(graph, parsed)
        rule = decode_trigger(rule_members(parsed, started, _watched(graph, parsed, started)))
        graph.write(add_schedule, _place(parsed, started), started.name, rule)
    results.print(
        f"schedule {parsed.name} is created and suspended: enable it with "
        f"`lineagegraph trigger enable {parsed.name}`"
    )


@app.command()
def update(sentence: Sentence) -> None:
    """Change a schedule; description, concurrency and properties stay if left out."""
    parsed = parse_sentence(sentence)
    with connected(load_settings()) as graph:
        started = _started(graph, parsed)
        members = rule_members(parsed, started, _watched(graph, parsed, started))
        graph.write(update_schedule, _place(parsed, started), started.name, members)
    results.print(f"schedule {parsed.name} is changed")


def _started(graph: Graph, parsed: ScheduleSentence) -> Program:
    found = find_job(graph, parsed.program)
    started = graph.read(find_started, found.namespace, found.fqn, parsed.type)
    check_application(graph, started.namespace, started.application, _version(parsed.version))
    return started


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
