"""`sensor`: what runs wait for, and the processes that look."""

import typer

from lineagegraph.cli.operate.sensor.look import list_all, show, why
from lineagegraph.cli.operate.sensor.run import run

app = typer.Typer(
    no_args_is_help=True, help="What runs wait for, who waits, and the processes that look."
)
app.command("list")(list_all)
app.command()(show)
app.command()(why)
app.command()(run)

__all__ = ["app"]
