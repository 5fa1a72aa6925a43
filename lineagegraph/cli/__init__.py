"""The command line: each command translates what was typed, and decides nothing."""

import os
import sys
from collections.abc import Callable
from importlib.metadata import version
from typing import Annotated, NoReturn

import typer

from lineagegraph.cli import (
    analysis,
    as_was,
    backfill,
    batch,
    browser,
    connection,
    cypher,
    demo,
    diff,
    emits,
    event,
    firings,
    forwards,
    freshness,
    impact,
    imports,
    ingest,
    jobs,
    lineage,
    neo4j,
    notebook,
    notifications,
    rerun,
    retention,
    run,
    run_states,
    runs,
    schedule,
    schema,
    sensor,
    show,
    silence,
    skip,
    sync,
    token,
    trigger,
    up,
    variable,
    versions,
)
from lineagegraph.cli.console import errors
from lineagegraph.driving.logs import configure_logs
from lineagegraph.errors import LineagegraphError

_INTERRUPTED = 130
_RUN, _LOOK, _SERVE = "Run pipelines", "Look at what ran", "Servers"

app = typer.Typer(
    name="lineagegraph",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

_COMMANDS: dict[str, list[Callable[..., None]]] = {
    _RUN: [sync.sync, run.run, rerun.rerun, run.cancel, ingest.ingest, event.event],
    _LOOK: [
        jobs.jobs,
        runs.runs,
        run_states.run_states,
        show.show,
        show.logs,
        as_was.as_was,
        versions.versions,
        diff.diff,
        lineage.lineage,
        impact.impact,
        firings.firings,
        silence.silence,
        emits.emits,
        cypher.cypher,
        notebook.notebook,
        browser.browser,
    ],
    _SERVE: [up.up, up.down, up.status, retention.retention, neo4j.doctor],
}
for panel, commands in _COMMANDS.items():
    for command in commands:
        app.command(rich_help_panel=panel)(command)
app.add_typer(batch.app, name="batch", rich_help_panel=_RUN)
app.add_typer(demo.app, name="demo", rich_help_panel=_RUN)
app.add_typer(backfill.app, name="backfill", rich_help_panel=_RUN)
app.add_typer(imports.app, name="import", rich_help_panel=_SERVE)
app.add_typer(schedule.app, name="schedule", rich_help_panel=_RUN)
app.add_typer(skip.app, name="skip", rich_help_panel=_RUN)
app.add_typer(variable.app, name="variable", rich_help_panel=_RUN)
app.add_typer(connection.app, name="connection", rich_help_panel=_RUN)
app.add_typer(freshness.app, name="freshness", rich_help_panel=_LOOK)
app.add_typer(analysis.app, name="analysis", rich_help_panel=_LOOK)
app.add_typer(trigger.app, name="trigger", rich_help_panel=_LOOK)
app.add_typer(sensor.app, name="sensor", rich_help_panel=_LOOK)
app.add_typer(forwards.app, name="forwards", rich_help_panel=_LOOK)
app.add_typer(notifications.app, name="notifications", rich_help_panel=_LOOK)
app.add_typer(neo4j.app, name="neo4j", rich_help_panel=_SERVE)
app.add_typer(token.app, name="token", rich_help_panel=_SERVE)
app.add_typer(schema.app, name="schema", rich_help_panel=_SERVE)


def main() -> NoReturn:
    """Run the command that was typed; an error that was foreseen is one line."""
    configure_logs()
    try:
        app(standalone_mode=True)
    except LineagegraphError as error:
        if "--debug" in sys.argv:
            raise
        errors.print(f"error: {error}")
        sys.exit(1)
    except KeyboardInterrupt:
        sys.exit(_INTERRUPTED)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)
    sys.exit(0)


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"lineagegraph {version('lineagegraph')}")
        raise typer.Exit


@app.callback()
def options(
    debug: Annotated[bool, typer.Option("--debug", help="Show the traceback of an error.")] = False,
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="The version.")
    ] = False,
) -> None:
    """What ran, as which version, on which data, and what runs next."""
