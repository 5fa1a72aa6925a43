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
    said = parse_sentence(sentence)
    with connected(load_settings()) as graph:
        started = _started(graph, said)
        rule = decode_trigger(rule_members(said, started, _watched(graph, said, started)))
        graph.write(add_schedule, _place(said, started), started.name, rule)
    results.print(
        f"schedule {said.name} is created and suspended: enable it with "
        f"`lineagegraph trigger enable {said.name}`"
    )


@app.command()
def update(sentence: Sentence) -> None:
    """Change a schedule; description, concurrency and properties stay if left out."""
    said = parse_sentence(sentence)
    with connected(load_settings()) as graph:
        started = _started(graph, said)
        members = rule_members(said, started, _watched(graph, said, started))
        graph.write(update_schedule, _place(said, started), started.name, members)
    results.print(f"schedule {said.name} is changed")


def _started(graph: Graph, said: ScheduleSentence) -> Program:
    found = find_job(graph, said.program)
    started = graph.read(find_started, found.namespace, found.fqn, said.type)
    check_application(graph, started.namespace, started.application, _version(said.version))
    return started


def _watched(graph: Graph, said: ScheduleSentence, started: Program) -> str:
    after = said.after
    namespace = after.namespace or started.namespace
    application = after.application or started.application
    check_application(graph, namespace, application, _version(after.version))
    return find_job(graph, after.name, namespace).fqn


def _version(said: str | None) -> str | None:
    return None if said == "-SNAPSHOT" else said


def _place(said: ScheduleSentence, started: Program) -> SchedulePath:
    return SchedulePath(started.namespace, started.application, said.name)
