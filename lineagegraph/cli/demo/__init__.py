"""The demo: its data, its definition file (`nyc.py`), and what it prints."""

from lineagegraph.cli.demo.command import demo

__all__ = ["demo"]
