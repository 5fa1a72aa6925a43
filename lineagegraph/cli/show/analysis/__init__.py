"""`analysis`: questions about the whole graph, answered with a table or JSON."""

import typer

from lineagegraph.cli.show.analysis import cause, day, trends, whole

app = typer.Typer(
    no_args_is_help=True, help="Analyse failures, slow work, changes and dependencies."
)
for command in (
    cause.cause,
    day.critical_path,
    day.waits,
    day.days,
    trends.trends,
    whole.weak_points,
    whole.orphans,
    whole.unused_columns,
    whole.cycles,
    whole.parent_cycles,
):
    app.command()(command)
