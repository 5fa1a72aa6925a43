"""The demos: flights (`nyc.py`) and experiments."""

from lineagegraph.cli.demo.command import app

__all__ = ["app"]
