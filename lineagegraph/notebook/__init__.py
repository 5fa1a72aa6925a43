"""The graph in a notebook: questions, answers that go on as frames and drawings, and widgets."""

from lineagegraph.notebook.results import Result
from lineagegraph.notebook.session import Session, connect

__all__ = ["Result", "Session", "connect"]
