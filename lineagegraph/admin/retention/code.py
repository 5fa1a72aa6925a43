"""Unneeded code and packages: packed files, functions, environments.

The deleting transaction checks the need again. Files are deleted last, when no node names them: an
interrupted sweep leaves files for the next one and never deletes a needed one.
"""

from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import PurePosixPath

import msgspec

from lineagegraph.graph import Graph, Transaction
from lineagegraph.model.pipelines.definition import Pipeline
from lineagegraph.model.runs.ids import new_id
from lineagegraph.model.runs.rerun import PolicyKind, read_policy
from lineagegraph.model.typed import decode_json
from lineagegraph.settings import Settings
from lineagegraph.store.admin import retention
from lineagegraph.store.admin.audit import audit
from lineagegraph.store.pipelines.archive_files import base_url, delete_file, list_files

_BATCH = 200
# Whoever writes one names it in the graph right after.
_UNNAMED_AFTER = timedelta(hours=1)


class CodeReport(msgspec.Struct, frozen=True):
    """How much was deleted, or would be."""

    archives: int
    functions: int
    environments: int
    files: int


def delete_code(
    graph: Graph,
    settings: Settings,
    *,
    kept: str,
    dry_run: bool = False,
    now: datetime | None = None,
) -> CodeReport:
    """Delete code and packages that nothing needs, but for the environment of the hash `kept`."""
    pinned = _pinned(graph, settings)

    def archives(tx: Transaction, after: str) -> list[str]:
        return retention.delete_archives(
            tx, pinned=pinned, after=after, limit=_BATCH, dry_run=dry_run
        )

    def functions(tx: Transaction, after: str) -> list[str]:
        return retention.delete_task_codes(tx, after=after, limit=_BATCH, dry_run=dry_run)

    def environments(tx: Transaction, after: str) -> list[str]:
        return retention.delete_environments(
            tx, kept=kept, after=after, limit=_BATCH, dry_run=dry_run
        )

    gone = _all(graph, archives)
    while not dry_run and graph.write(retention.delete_expansions, limit=_BATCH):
        pass
    code, unused = _all(graph, functions), _all(graph, environments)
    loose = list(_loose_files(graph, settings, now or datetime.now(UTC)))
    for url in () if dry_run else loose:
        delete_file(url)
    report = CodeReport(gone, code, unused, len(loose))
    if not dry_run:
        graph.write(audit, "retention.code", new_id(), after=report)
    return report


def _all(graph: Graph, delete: Callable[[Transaction, str], list[str]]) -> int:
    count, after = 0, ""
    while found := graph.write(delete, after):
        count, after = count + len(found), found[-1]
    return count


def _pinned(graph: Graph, settings: Settings) -> list[str]:
    """Return the starts of the hashes of versions that reruns take by themselves."""
    stated = [decode_json(text, into=Pipeline).rerun for text in graph.read(retention.list_pinned)]
    policies = [read_policy(text) for text in (settings.rerun_policy, *stated) if text]
    return sorted(
        {one.version for one in policies if one.kind is PolicyKind.PINNED and one.version}
    )


def _loose_files(graph: Graph, settings: Settings, now: datetime) -> Iterator[str]:
    old = [url for url, at in list_files(base_url(settings)) if at < now - _UNNAMED_AFTER]
    for start in range(0, len(old), _BATCH):
        part = {url: PurePosixPath(url).stem for url in old[start : start + _BATCH]}
        named = set(graph.read(retention.list_kept_files, hashes=sorted(set(part.values()))))
        yield from (url for url, sha256 in part.items() if sha256 not in named)
