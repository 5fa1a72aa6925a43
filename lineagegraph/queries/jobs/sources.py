"""Sources of datasets: as created over the API, or else as derived from the datasets."""

from collections.abc import Iterable
from datetime import UTC, datetime

import msgspec

from lineagegraph.errors import NotFound
from lineagegraph.graph import Graph, Transaction
from lineagegraph.model.typed import decode_json
from lineagegraph.queries.jobs.pages import Cut, Page
from lineagegraph.store.datasets import sources
from lineagegraph.store.datasets.sources import SaidSource, SourceRow

DEFAULT = "default"
_UNKNOWN_TIME = datetime(1970, 1, 1, tzinfo=UTC)


class _Body(msgspec.Struct):
    name: str = DEFAULT
    uri: str | None = None


def list_sources(tx: Transaction) -> list[SourceRow]:
    """Return all sources, by name; datasets without one belong to the source `default`."""
    found: dict[str, SourceRow] = {}
    for said in sources.list_said(tx):
        source = _source(said)
        found[source.name] = _joined(found.get(source.name), source)
    for row in sources.list_sources(tx):
        found[row.name] = row
    return [found[name] for name in sorted(found)]


def page_sources(graph: Graph, cut: Cut) -> Page[SourceRow]:
    """Return sources by name."""
    found = graph.read(list_sources)
    return Page.of(found, cut)


def read_source(graph: Graph, name: str) -> SourceRow:
    """Return one source."""
    found = _named(graph.read(sources.list_sources), name) or _named(graph.read(list_sources), name)
    if not found:
        raise NotFound(f"no source {name!r}")
    return found


def _named(rows: Iterable[SourceRow], name: str) -> SourceRow | None:
    return next((row for row in rows if row.name == name), None)


def _source(said: SaidSource) -> SourceRow:
    try:
        body = decode_json(said.body or "{}", into=_Body)
    except msgspec.DecodeError:
        body = _Body()
    first = said.first_seen or _UNKNOWN_TIME
    return SourceRow(
        name=body.name,
        type=_type(body.uri or ""),
        connection_url=body.uri or "",
        description=None,
        created_at=first,
        updated_at=said.last_seen or first,
    )


def _joined(before: SourceRow | None, later: SourceRow) -> SourceRow:
    """Return one source from two spellings of it, of which the later one wins."""
    if before is None:
        return later
    known = later if later.connection_url else before
    return msgspec.structs.replace(
        known,
        created_at=min(before.created_at, later.created_at),
        updated_at=max(before.updated_at, later.updated_at),
    )


def _type(uri: str) -> str:
    """Return the scheme of a URI in capitals: POSTGRESQL for `jdbc:postgresql://…`."""
    scheme, colon, _ = uri.removeprefix("jdbc:").partition(":")
    return scheme.upper() if colon and scheme else "UNKNOWN"
