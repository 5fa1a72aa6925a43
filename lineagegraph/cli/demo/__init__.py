"""The demos: flights (`nyc.py`), experiments, and what they print."""

from lineagegraph.cli.demo.command import app

__all__ = ["app"]
