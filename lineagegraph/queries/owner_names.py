"""The names of owners in the facets of a job or dataset."""

from lineagegraph.model.names.owners import Owners as Owners
from lineagegraph.model.names.owners import read_owners
from lineagegraph.queries.runs.run_details import Facets


def owners_in(facets: Facets) -> Owners:
    """Return the owners in the facet `ownership`."""
    return read_owners(facets.get("ownership"))
