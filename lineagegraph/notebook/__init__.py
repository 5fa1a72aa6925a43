"""The graph in a notebook: questions, answers that go on as frames and drawings, and widgets."""

# First: then the driver takes its values as parameters.
import pandas  # noqa: F401

from lineagegraph.notebook.open_session import connect
from lineagegraph.notebook.results import Result
from lineagegraph.notebook.session import Session

__all__ = ["Result", "Session", "connect"]
