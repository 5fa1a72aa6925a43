"""`sensor`: what runs wait for, and the processes that look."""

import typer

from lineagegraph.cli.sensor.look import list_all, show, why

app = typer.Typer(no_args_is_help=True, help="What runs wait for, who waits, and who looks.")
app.command("list")(list_all)
app.command()(show)
app.command()(why)

__all__ = ["app"]
