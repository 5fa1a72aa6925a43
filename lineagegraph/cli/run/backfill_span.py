"""Options that select the partitions of a backfill."""

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import msgspec
import typer

from lineagegraph.errors import BackfillRefused
from lineagegraph.model.triggers.backfill import BackfillSpan, NominalRange, PartitionOrder, Which
from lineagegraph.model.typed import decode_json

First = Annotated[str | None, typer.Option("--from", metavar="TIME", help="First day or time.")]
Last = Annotated[
    str | None, typer.Option("--to", metavar="TIME", help="Last day or time, inclusive.")
]
Step = Annotated[str, typer.Option(help="Step between partitions: 1d, 6h, 15m, 1w, 1mo.")]
Zone = Annotated[str | None, typer.Option(help="Time zone of the days, such as Europe/Berlin.")]
Param = Annotated[
    str | None, typer.Option(help="Parameter that takes the times, if several could.")
]
Values = Annotated[
    list[str] | None,
    typer.Option(metavar="NAME=A,B", help="Values of a parameter, as name=A,B (repeatable)."),
]
ParamsFile = Annotated[
    Path | None, typer.Option(help="JSON Lines file: each line an object of parameters.")
]
OnlyMissing = Annotated[
    bool, typer.Option("--only-missing", help="Only partitions that never ran.")
]
OnlyFailed = Annotated[
    bool, typer.Option("--failed", help="Only partitions whose latest run failed.")
]
All = Annotated[bool, typer.Option("--all", help="Also partitions that completed.")]
NewestFirst = Annotated[
    bool, typer.Option("--newest-first", help="Start with the newest partition.")
]


def read_range(
    first: str | None, last: str | None, step: str, zone: str, param: str | None
) -> NominalRange | None:
    """Return the range of `--from` and `--to`, if given."""
    if first is None and last is None:
        return None
    if first is None or last is None:
        raise BackfillRefused("--from and --to go together: give both")
    return NominalRange(first, last, step, zone, param)


def read_span(
    times: NominalRange | None,
    values: list[str],
    file: Path | None,
    which: Which,
    newest_first: bool,
) -> BackfillSpan:
    """Return the partitions that the options select."""
    return BackfillSpan(
        times=times,
        values=_read_values(values),
        rows=list(_read_rows(file)) if file else [],
        which=which,
        order=PartitionOrder.NEWEST if newest_first else PartitionOrder.OLDEST,
    )


def read_which(only_missing: bool, only_failed: bool, all_: bool) -> Which:
    """Return the filter on partitions; at most one of its options may be given."""
    asked = {Which.MISSING: only_missing, Which.FAILED: only_failed, Which.ALL: all_}
    found = [which for which, is_asked in asked.items() if is_asked]
    if len(found) > 1:
        raise BackfillRefused("--only-missing, --failed and --all exclude each other: give one")
    return found[0] if found else Which.INCOMPLETE


def _read_values(given: list[str]) -> dict[str, list[Any]]:
    values: dict[str, list[Any]] = {}
    for item in given:
        name, equals, listed = item.partition("=")
        if not (name and equals and listed) or name in values:
            raise BackfillRefused(f"--values {item}: give each parameter once, as name=A,B")
        values[name] = listed.split(",")
    return values


def _read_rows(file: Path) -> Iterator[dict[str, Any]]:
    try:
        lines = file.read_bytes().splitlines()
    except OSError as error:
        raise BackfillRefused(f"{file}: {error.strerror}") from None
    for number, line in enumerate(lines, 1):
        if line.strip():
            try:
                yield decode_json(line, into=dict[str, Any])
            except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
                raise BackfillRefused(f"{file}:{number}: not a JSON object: {error}") from None
