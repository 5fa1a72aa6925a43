"""Facets that nothing refers to any more.

Events name their facets by hash within their bodies, so what is used is known by reading events.
A facet is locked before it goes: whoever is writing an event with it has written it then, and
whoever comes later makes it anew.
"""

from collections.abc import Iterable

import msgspec

from lineagegraph.graph import Transaction
from lineagegraph.ingest.archive import facet_hashes
from lineagegraph.ingest.received import list_since
from lineagegraph.store import facets


def used_hashes(bodies: Iterable[str]) -> set[str]:
    """Return the hashes of the facets that events, as they are kept, refer to."""
    return {hash_ for body in bodies for hash_ in facet_hashes(msgspec.json.decode(body))}


def delete_unused(tx: Transaction, hashes: Iterable[str], since: str) -> int:
    """Delete facets unless an event received after `since` refers to them; return how many went."""
    unused = set(facets.claim_facets(tx, hashes=sorted(hashes)))
    if unused:
        unused -= used_hashes(event.body for event in list_since(tx, since))
    facets.delete_facets(tx, hashes=sorted(unused))
    return len(unused)
