"""Facet bodies, each kept once."""

import msgspec

from lineagegraph.graph import Transaction, bound


class FacetBody(msgspec.Struct, frozen=True):
    """A facet's body as JSON text."""

    hash: str
    name: str
    body: str


@bound
def list_bodies(tx: Transaction, *, hashes: list[str]) -> list[FacetBody]: ...


@bound
def claim_facets(tx: Transaction, *, hashes: list[str]) -> list[str]: ...


@bound
def delete_facets(tx: Transaction, *, hashes: list[str]) -> None: ...
