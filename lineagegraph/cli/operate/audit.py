"""`audit`: who changed what, when and from where."""

from datetime import datetime
from typing import Annotated

import msgspec
import typer

from lineagegraph.admin.audit import AuditFilter, export_entries, list_entries
from lineagegraph.cli.connect import connected
from lineagegraph.cli.console import is_wide, print_json, print_table
from lineagegraph.cli.formatting import moment
from lineagegraph.cli.options import Json, Limit, read_since
from lineagegraph.graph import Graph
from lineagegraph.settings import load_settings
from lineagegraph.store.admin.audit import AuditEntry

_SHOWN = 60


def audit(
    since: Annotated[
        datetime | None,
        typer.Option(parser=read_since, metavar="AGE|TIME", help="Only from then on, such as 1d."),
    ] = None,
    actor: Annotated[
        str | None, typer.Option(help="Only by this author, such as token:ci.")
    ] = None,
    action: Annotated[
        str | None, typer.Option(help="Only this action or kind of thing: skip.add, or skip.")
    ] = None,
    thing: Annotated[
        str | None, typer.Option(help="Only about this job, or the thing of this name or key.")
    ] = None,
    limit: Limit = 50,
    json: Json = False,
    ndjson: Annotated[
        bool, typer.Option("--ndjson", help="Export all entries as JSON lines, oldest first.")
    ] = False,
) -> None:
    """List who changed what, when and from where, newest first."""
    chosen = AuditFilter(since=since, actor=actor, action=action, about=thing)
    with connected(load_settings()) as graph:
        if ndjson:
            _export(graph, chosen)
            return
        found = list_entries(graph, chosen, limit=limit)
    if json:
        print_json([_readable(one) for one in found])
        return
    columns = ("AT", "ACTOR", "FROM", "ACTION", "NAME", "BEFORE", "AFTER")
    print_table(columns, map(_row, found), "no changes")


def _export(graph: Graph, chosen: AuditFilter) -> None:
    for part in export_entries(graph, chosen):
        for one in part:
            print(msgspec.json.encode(_readable(one)).decode())


def _readable(one: AuditEntry) -> dict[str, object]:
    fields = msgspec.structs.asdict(one)
    states = {name: fields[name] and msgspec.Raw(fields[name]) for name in ("before", "after")}
    return fields | states


def _row(one: AuditEntry) -> tuple[str, ...]:
    wide = is_wide()
    states = (text or "" for text in (one.before, one.after))
    return (
        moment(one.at, wide),
        one.actor,
        one.address or "",
        one.action,
        one.name,
        *(text if wide or len(text) <= _SHOWN else f"{text[:_SHOWN]}…" for text in states),
    )
