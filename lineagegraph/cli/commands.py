"""The commands by name; the module of one is imported when it is typed, or when help lists all."""

from collections.abc import Iterator, Mapping
from importlib import import_module
from itertools import chain
from typing import Any, cast

import typer
from typer.core import TyperCommand, TyperGroup

_PANELS = {
    "Run pipelines": {
        "sync": "sync:sync",
        "run": "run:run",
        "rerun": "rerun:rerun",
        "cancel": "run:cancel",
        "ingest": "ingest:ingest",
        "event": "event:event",
        "batch": "batch:app",
        "demo": "demo:app",
        "backfill": "backfill:app",
        "schedule": "schedule:app",
        "skip": "skip:app",
        "variable": "variable:app",
        "connection": "connection:app",
    },
    "Look at what ran": {
        "jobs": "jobs:jobs",
        "runs": "runs:runs",
        "run-states": "run_states:run_states",
        "show": "show:show",
        "logs": "show:logs",
        "as-was": "as_was:as_was",
        "versions": "versions:versions",
        "diff": "diff:diff",
        "lineage": "lineage:lineage",
        "impact": "impact:impact",
        "firings": "firings:firings",
        "silence": "silence:silence",
        "emits": "emits:emits",
        "cypher": "cypher:cypher",
        "notebook": "notebook:notebook",
        "browser": "browser:browser",
        "freshness": "freshness:app",
        "analysis": "analysis:app",
        "trigger": "trigger:app",
        "sensor": "sensor:app",
        "forwards": "forwards:app",
        "notifications": "notifications:app",
    },
    "Servers": {
        "up": "up:up",
        "down": "up:down",
        "status": "up:status",
        "retention": "retention:retention",
        "doctor": "neo4j:doctor",
        "import": "imports:app",
        "neo4j": "neo4j:app",
        "token": "token:app",
        "schema": "schema:app",
    },
}


class Commands(Mapping[str, TyperCommand | TyperGroup]):
    """All commands; to take one out is to import it."""

    def __getitem__(self, name: str) -> TyperCommand | TyperGroup:
        panel = next((one for one, places in _PANELS.items() if name in places), None)
        if panel is None:
            raise KeyError(name)
        module, attribute = _PANELS[panel][name].split(":")
        found = getattr(import_module(f"lineagegraph.cli.{module}"), attribute)
        return _made(found, name, panel)

    def __iter__(self) -> Iterator[str]:
        return chain.from_iterable(_PANELS.values())

    def __len__(self) -> int:
        return sum(map(len, _PANELS.values()))


class Group(TyperGroup):
    """The program: a group of commands that are imported one by one."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        self.commands = cast("dict[str, Any]", Commands())


def _made(found: Any, name: str, panel: str) -> TyperCommand | TyperGroup:
    holder = typer.Typer(callback=lambda: None)
    if isinstance(found, typer.Typer):
        holder.add_typer(found, name=name, rich_help_panel=panel)
    else:
        holder.command(name, rich_help_panel=panel)(found)
    return cast("TyperCommand | TyperGroup", typer.main.get_group(holder).commands[name])
