"""`%load_ext lineagegraph`."""

import sys

from IPython.core.interactiveshell import InteractiveShell

from lineagegraph.errors import LineagegraphError
from lineagegraph.notebook.magics.graph_magics import GraphMagics
from lineagegraph.notebook.magics.pipeline_magic import PipelineMagic
from lineagegraph.notebook.shell import prepare


def load_ipython_extension(shell: InteractiveShell) -> None:
    """Register the magics and connect; print the connection, or the remedy without a server."""
    magics, pipelines = GraphMagics(shell), PipelineMagic(shell)
    register = shell.magics_manager.register_function
    for name in ("lineage", "runs", "jobs", "triggers"):
        register(getattr(magics, name), "line", name)
    register(magics.cypher, "line_cell", "cypher")
    register(magics.connect, "line", "lineagegraph")
    register(pipelines.pipeline, "cell", "pipeline")
    prepare(shell).magics = lambda: magics.connected
    try:
        print(f"connected to {magics.connect().place()}")
    except LineagegraphError as error:
        advice = "then run %lineagegraph, or any magic of it"
        print(f"not connected: {error}; {advice}", file=sys.stderr)
