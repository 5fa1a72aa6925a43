"""`sensor`: sensors, the runs that wait for them, and sensor processes."""

import typer

from lineagegraph.cli.operate.sensor.cursor import cursor
from lineagegraph.cli.operate.sensor.run import run
from lineagegraph.cli.operate.sensor.settle import settle
from lineagegraph.cli.operate.sensor.show import list_all, show, why

app = typer.Typer(
    no_args_is_help=True, help="Inspect sensors and waiting runs, and run sensor processes."
)
app.command("list")(list_all)
app.command()(show)
app.command()(why)
app.command()(settle)
app.command()(cursor)
app.command()(run)

__all__ = ["app"]
