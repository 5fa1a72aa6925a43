"""The queries by theme; all but Delta's run in one session."""

from types import ModuleType

from tests.acceptance.conformance.queries import (
    columns,
    databases,
    delta,
    files,
    hive,
    python,
    rdds,
    streams,
    tables,
    topics,
)

MAIN: tuple[ModuleType, ...] = (
    columns,
    files,
    python,
    rdds,
    tables,
    hive,
    streams,
    topics,
    databases,
)
THEMES = (*MAIN, delta)
