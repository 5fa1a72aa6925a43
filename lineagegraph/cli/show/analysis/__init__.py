"""`analysis`: questions about all of it, each with a table or JSON as the answer."""

import typer

from lineagegraph.cli.show.analysis import cause, day, trends, whole

app = typer.Typer(
    no_args_is_help=True, help="What hangs on what, what was slow, what changed, and whose it is."
)
for command in (
    cause.cause,
    day.critical_path,
    day.waits,
    day.days,
    trends.trends,
    whole.weak_points,
    whole.orphans,
    whole.cycles,
    whole.owners,
):
    app.command()(command)
