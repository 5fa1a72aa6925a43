"""`batch validate|graph|export`."""

import typer

from lineagegraph.cli.batch import export, graph, validate

app = typer.Typer(no_args_is_help=True, help="Check, draw and hand on batches.")
app.command()(validate.validate)
app.command()(graph.graph)
app.add_typer(export.app, name="export")
