"""Results of queries: a table, a graph, or both."""

from lineagegraph.notebook.results.result import Result

__all__ = ["Result"]
