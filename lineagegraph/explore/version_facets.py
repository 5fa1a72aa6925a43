"""What runs said of the data that they wrote, out of the events that they sent."""

from collections.abc import Iterable

import msgspec

from lineagegraph.explore.run_details import Facets
from lineagegraph.graph import Transaction
from lineagegraph.model.typed import decode_json
from lineagegraph.store.dataset_versions import DatasetVersionRow, ReportRow, list_reports
from lineagegraph.store.facets import list_bodies

# A run that reports for days says the same of its data again and again.
_NEWEST_EVENTS = 50
_Hashes = dict[str, str | None]
_Written = dict[tuple[str | None, str, str], _Hashes]


class _Output(msgspec.Struct, rename="camel"):
    namespace: str
    name: str
    facets: _Hashes | None = None
    output_facets: _Hashes | None = None


class _Event(msgspec.Struct):
    outputs: list[_Output] | None = None


class _Body(msgspec.Struct):
    deleted: bool = msgspec.field(name="_deleted", default=False)


def read_version_facets(tx: Transaction, rows: Iterable[DatasetVersionRow]) -> dict[str, Facets]:
    """Return the facets of each version, by its key; those that were taken back are left out."""
    rows = list(rows)
    ids = sorted({row.run for row in rows if row.run})
    said = _last_said(list_reports(tx, ids=ids, limit=_NEWEST_EVENTS))
    hashes = {row.key: said.get((row.run, row.namespace, row.name), {}) for row in rows}
    wanted = {hash_ for found in hashes.values() for hash_ in found.values() if hash_}
    bodies = {row.hash: row.body for row in list_bodies(tx, hashes=sorted(wanted))}
    return {
        key: {
            name: msgspec.Raw(bodies[hash_].encode())
            for name, hash_ in sorted(found.items())
            if hash_ in bodies and not _is_deleted(bodies[hash_])
        }
        for key, found in hashes.items()
    }


def _last_said(reports: Iterable[ReportRow]) -> _Written:
    """Return the hashes of facets by run and dataset; a later event has the last word."""
    said: _Written = {}
    for report in reports:
        for output in decode_json(report.body, into=_Event).outputs or ():
            known = said.setdefault((report.run, output.namespace, output.name), {})
            known |= (output.facets or {}) | (output.output_facets or {})
    return said


def _is_deleted(body: str) -> bool:
    try:
        return decode_json(body, into=_Body).deleted
    except msgspec.DecodeError:
        return False
