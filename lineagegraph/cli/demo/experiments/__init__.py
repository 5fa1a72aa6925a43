"""The demo of experiments: its clicks, its project, and what it prints."""

from lineagegraph.cli.demo.experiments.command import experiments

__all__ = ["experiments"]
