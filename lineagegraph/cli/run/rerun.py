"""`rerun`: run a run again, with its original code or the latest."""

import sys
from typing import Annotated, NoReturn

import msgspec
import typer

from lineagegraph.backfills.of_reruns import BulkRequest
from lineagegraph.cli.connect import connected
from lineagegraph.cli.console import errors, print_json, results
from lineagegraph.cli.options import Json, Namespace
from lineagegraph.cli.run.execute import execute_queued
from lineagegraph.cli.run.rerun_many import Since, States, Until, exit_for_choice, rerun_many
from lineagegraph.cli.run.rerun_view import print_plan
from lineagegraph.errors import RerunAsks, RerunRefused
from lineagegraph.graph import Graph
from lineagegraph.liveness.daemons import has_daemon, nudge_daemons
from lineagegraph.model.runs.rerun import Allow, RerunRequest
from lineagegraph.queries.find.find import find_job, find_run
from lineagegraph.reading.refresh import refresh_job_of
from lineagegraph.reruns.plan import Plan, choices, plan_rerun
from lineagegraph.reruns.start import start_planned
from lineagegraph.runs.queue import read_values
from lineagegraph.settings import Settings, load_settings

Run = Annotated[
    str | None,
    typer.Argument(metavar="RUN", help="Run id, or a unique start or end of it; or use --job."),
]
PolicyOption = Annotated[
    str | None,
    typer.Option("--policy", help="as_was, latest, pinned:VERSION or ask."),
]
Params = Annotated[
    list[str] | None, typer.Option("--param", "-p", help="Override a parameter, as name=value.")
]
Allowed = Annotated[
    list[Allow] | None, typer.Option("--allow", help="Difference from the original run to accept.")
]
Isolated = Annotated[
    bool, typer.Option("--isolated", help="Use the original packages, reinstalled by uv.")
]


def rerun(
    run: Run = None,
    policy: PolicyOption = None,
    task: Annotated[
        list[str] | None, typer.Option("--task", help="Only this task (repeatable).")
    ] = None,
    from_failed: Annotated[
        bool,
        typer.Option(
            "--from-failed", help="Only tasks that did not complete, and those after them."
        ),
    ] = False,
    from_task: Annotated[
        str | None,
        typer.Option("--from", metavar="TASK", help="Only this task and those after it."),
    ] = None,
    param: Params = None,
    allow: Allowed = None,
    isolated: Isolated = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Only list differences from the original run.")
    ] = False,
    wait: Annotated[
        bool, typer.Option("--wait/--no-wait", help="Follow a daemon's run until it ends.")
    ] = False,
    job: Annotated[
        str | None,
        typer.Option(
            "--job", help="Rerun this pipeline's runs chosen by --since, --until and --state."
        ),
    ] = None,
    since: Since = None,
    until: Until = None,
    state: States = None,
    concurrency: Annotated[
        int,
        typer.Option("--concurrency", "-c", help="With --job: maximum number of runs at a time."),
    ] = 1,
    stop_after: Annotated[
        int | None, typer.Option(metavar="N", help="With --job: pause after this many failures.")
    ] = None,
    bulk_id: Annotated[
        str | None,
        typer.Option("--id", help="With --job: a new id, to rerun the same runs once more."),
    ] = None,
    namespace: Namespace = None,
    json: Json = False,
) -> None:
    """Rerun a run: start a new run with the original code or the latest."""
    if (run is None) == (job is None):
        raise typer.BadParameter("give a RUN, or --job for many")
    settings = load_settings()
    with connected(settings) as graph:
        request = RerunRequest(
            run=find_run(graph, run).id if run else "",
            policy=policy,
            params=read_values(param or []),
            tasks=tuple(task or ()),
            from_task=from_task,
            from_failed=from_failed,
            allow=frozenset(allow or ()),
            isolated=isolated,
        )
        if job is not None:
            bulk = BulkRequest(
                job_key=find_job(graph, job, namespace).key,
                since=since,
                until=until,
                states=tuple(one.upper() for one in state or ()),
                each=request,
                concurrency=concurrency,
                stop_after=stop_after,
                id=bulk_id,
            )
            rerun_many(graph, settings, bulk, dry_run=dry_run, wait=wait, json=json)
            return
        for fault in refresh_job_of(graph, settings, request.run):
            errors.print(f"warning: {fault}")
        plan = _plan(graph, settings, request, json)
        if dry_run:
            print_json(plan) if json else print_plan(plan, results)
            raise typer.Exit(1 if plan.missing else 0)
        print_plan(plan, errors)
        _start(graph, settings, plan, wait, json)


def _plan(graph: Graph, settings: Settings, request: RerunRequest, json: bool) -> Plan:
    try:
        return plan_rerun(graph, settings, request)
    except RerunAsks as asks:
        plans = choices(graph, settings, request)
        if not (errors.is_terminal and sys.stdin.isatty()) or json:
            _print_choices(asks, plans)
    for plan in plans:
        print_plan(plan, errors)
    chosen = typer.prompt("policy (as_was, latest or pinned:VERSION)", err=True)
    return _plan(graph, settings, msgspec.structs.replace(request, policy=chosen), json)


def _print_choices(asks: RerunAsks, plans: list[Plan]) -> NoReturn:
    for plan in plans:
        print_plan(plan, errors)
    exit_for_choice(asks)


def _start(graph: Graph, settings: Settings, plan: Plan, wait: bool, json: bool) -> None:
    try:
        started = start_planned(graph, plan)
    except RerunRefused as refused:
        errors.print(f"error: run {plan.run} cannot run again with policy {plan.policy}")
        for line in refused.missing:
            errors.print(f"missing: {line}")
        raise typer.Exit(1) from None
    lives = has_daemon(graph)
    nudge_daemons(graph)
    if json:
        print_json(started)
    errors.print(f"run {started.run} is rerun {started.number} of run {plan.run}")
    if not json or not lives or wait:
        output = errors if json else results
        execute_queued(graph, settings, started.run, has_daemon=lives, wait=wait, output=output)
