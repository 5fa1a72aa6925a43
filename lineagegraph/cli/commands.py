"""All commands by name; a command's module is imported when it is typed."""

import gc
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib import import_module
from itertools import chain
from types import ModuleType
from typing import Any, cast

import typer
from typer.core import TyperCommand, TyperGroup

from lineagegraph.cli.examples import add_examples
from lineagegraph.cli.summaries import summary_of

_PANELS = {
    "Run pipelines": {
        "sync": "run.sync:sync",
        "run": "run.run:run",
        "rerun": "run.rerun:rerun",
        "rollback": "run.rollback:rollback",
        "cancel": "run.run:cancel",
        "mark": "run.mark:mark",
        "unmark": "run.mark:unmark",
        "ack": "run.mark:ack",
        "annotate": "run.mark:annotate",
        "spark-submit": "run.spark_submit:spark_submit",
        "ingest": "operate.ingest:ingest",
        "event": "run.event:event",
        "batch": "run.batch:app",
        "demo": "demo:app",
        "backfill": "run.backfill:app",
        "schedule": "run.schedule:app",
        "skip": "run.skip:app",
        "pause": "run.pause:pause",
        "resume": "run.pause:resume",
        "mute": "run.mute:mute",
        "unmute": "run.mute:unmute",
        "pool": "operate.pool:app",
        "variable": "operate.variable:app",
        "connection": "operate.connection:app",
    },
    "Inspect runs and data": {
        "jobs": "show.jobs:jobs",
        "datasets": "show.datasets:datasets",
        "search": "show.search:search",
        "runs": "show.runs:runs",
        "run-states": "show.run_states:run_states",
        "show": "show.show:show",
        "logs": "show.show:logs",
        "as-was": "show.as_was:as_was",
        "versions": "show.versions:versions",
        "diff": "show.diff:diff",
        "lineage": "show.lineage:lineage",
        "impact": "show.impact:impact",
        "readers": "show.readers:readers",
        "tag": "operate.tag:tag",
        "tags": "show.tags:app",
        "owners": "show.owners:owners",
        "quality": "show.quality:quality",
        "firings": "show.firings:firings",
        "silence": "operate.silence:silence",
        "claims": "show.claims:claims",
        "emits": "show.emits:emits",
        "cypher": "show.cypher:cypher",
        "notebook": "operate.notebook:notebook",
        "browser": "show.browser:browser",
        "freshness": "show.freshness:app",
        "forecast": "show.forecast:forecast",
        "analysis": "show.analysis:app",
        "trigger": "run.trigger:app",
        "sensor": "operate.sensor:app",
        "forwards": "operate.forwards:app",
        "notifications": "operate.notifications:app",
    },
    "Servers": {
        "up": "operate.up:up",
        "down": "operate.down:down",
        "status": "operate.status:status",
        "retention": "operate.retention:retention",
        "audit": "operate.audit:audit",
        "doctor": "operate.neo4j:doctor",
        "import": "operate.imports:app",
        "neo4j": "operate.neo4j:app",
        "token": "operate.token:app",
        "schema": "operate.schema:app",
    },
}


class Commands(Mapping[str, TyperCommand | TyperGroup]):
    """All commands, imported on first access."""

    def __getitem__(self, name: str) -> TyperCommand | TyperGroup:
        panel, place = _find(name)
        module, attribute = place.split(":")
        return _made(getattr(_imported(module), attribute), name, panel)

    def __iter__(self) -> Iterator[str]:
        return chain.from_iterable(_PANELS.values())

    def __len__(self) -> int:
        return sum(map(len, _PANELS.values()))


class Outlines(Commands):
    """All commands as a list of them shows them: a name and a summary, without an import."""

    def __getitem__(self, name: str) -> TyperCommand:
        panel, place = _find(name)
        return TyperCommand(name, help=summary_of(place), rich_help_panel=panel)


class Group(TyperGroup):
    """The top-level command group, which imports its commands lazily."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        self.commands = cast("dict[str, Any]", Commands())

    def format_help(self, *given: Any) -> None:
        """Write the help, which lists all commands."""
        with self._outlined():
            super().format_help(*given)

    def shell_complete(self, *given: Any) -> list[Any]:
        """Return the commands that begin with what is typed."""
        with self._outlined():
            return super().shell_complete(*given)

    @contextmanager
    def _outlined(self) -> Iterator[None]:
        whole, self.commands = self.commands, cast("dict[str, Any]", Outlines())
        try:
            yield
        finally:
            self.commands = whole


def _find(name: str) -> tuple[str, str]:
    """Return the panel and the place of a command; raise `KeyError` if there is none."""
    for panel, places in _PANELS.items():
        if name in places:
            return panel, places[name]
    raise KeyError(name)


def _imported(module: str) -> ModuleType:
    # What is imported stays: collections meanwhile and at the exit would go through all of it.
    gc.disable()
    try:
        return import_module(f"lineagegraph.cli.{module}")
    finally:
        gc.freeze()
        gc.enable()


def _made(found: Any, name: str, panel: str) -> TyperCommand | TyperGroup:
    holder = typer.Typer(callback=lambda: None)
    if isinstance(found, typer.Typer):
        holder.add_typer(found, name=name, rich_help_panel=panel)
    else:
        holder.command(name, rich_help_panel=panel)(found)
    made = typer.main.get_group(holder).commands[name]
    add_examples(made, name)
    return cast("TyperCommand | TyperGroup", made)
