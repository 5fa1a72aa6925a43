"""`retention`: delete old runs."""

from datetime import timedelta
from typing import Annotated

import typer
from rich.text import Text

from lineagegraph.admin.audit import forget_entries
from lineagegraph.admin.retention import CodeReport, Report, delete_code, sweep
from lineagegraph.cli.connect import connected
from lineagegraph.cli.console import errors, print_json, print_table
from lineagegraph.cli.options import Json
from lineagegraph.errors import SettingsError
from lineagegraph.reruns.installed import installed_environment
from lineagegraph.settings import Settings, load_settings, read_age


def retention(
    namespace: Annotated[str | None, typer.Option(help="Only jobs of this namespace.")] = None,
    older_than: Annotated[
        str | None,
        typer.Option(metavar="AGE", help="Minimum age, such as 90d (default: from the settings)."),
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only count; delete nothing.")] = False,
    code_only: Annotated[
        bool, typer.Option("--code-only", help="Delete no runs, only unreferenced code.")
    ] = False,
    json: Json = False,
) -> None:
    """Delete runs older than an age, and data that no remaining run refers to."""
    settings = load_settings()
    ages = {} if code_only else _ages(settings, namespace, older_than)
    with connected(settings) as graph, errors.status("finding old runs") as line:

        def note(what: str, done: int, total: int) -> None:
            line.update(f"{what} ({done} of {total})" if total else what)

        inherit = settings.inherit_namespace
        report = Report()
        if not code_only:
            report = sweep(graph, ages, inherit=inherit, dry_run=dry_run, note=note)
            if not dry_run:
                forget_entries(graph, settings.audit_age)
        note("finding unreferenced code", 0, 0)
        kept = installed_environment().sha256
        code = delete_code(graph, settings, kept=kept, dry_run=dry_run)
    if json:
        said = {"facets": report.facets, "namespaces": report.namespaces, "code": code}
        print_json(said)
        return
    if not code_only:
        _print(report)
    _print_code(code)


def _ages(
    settings: Settings, namespace: str | None, older_than: str | None
) -> dict[str, timedelta]:
    if older_than is not None:
        try:
            return {namespace or "*": read_age(older_than)}
        except ValueError as error:
            raise typer.BadParameter(str(error), param_hint="--older-than") from None
    known = settings.retention
    if not known or (namespace and not known.keys() & {namespace, "*"}):
        raise SettingsError("no age is set: give --older-than, or set LINEAGEGRAPH_RETENTION")
    if namespace:
        return {namespace: known[namespace if namespace in known else "*"]}
    return known


def _print(report: Report) -> None:
    rows = [
        (
            namespace,
            str(found.runs),
            str(found.events),
            str(found.versions),
            Text("\n".join(f"{number}: {reason}" for reason, number in found.kept.items())),
        )
        for namespace, found in sorted(report.namespaces.items())
    ]
    columns = ("NAMESPACE", "RUNS", "EVENTS", "VERSIONS", "OLD RUNS THAT STAY")
    print_table(columns, rows, "no run is that old")


def _print_code(code: CodeReport) -> None:
    errors.print(
        f"code: {code.archives} archives, {code.functions} packed functions, "
        f"{code.environments} environments, {code.files} files"
    )
