"""`batch validate|run|restart|status|graph|export`."""

import typer

from lineagegraph.cli.run.batch import export, graph, run, status, validate

app = typer.Typer(no_args_is_help=True, help="Check, run, draw and export batches.")
app.command()(validate.validate)
app.command()(run.run)
app.command()(run.restart)
app.command()(status.status)
app.command()(graph.graph)
app.add_typer(export.app, name="export")
