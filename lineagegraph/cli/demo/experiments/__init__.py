"""The experiments demo: its clicks, its project and its output."""

from lineagegraph.cli.demo.experiments.command import experiments

__all__ = ["experiments"]
