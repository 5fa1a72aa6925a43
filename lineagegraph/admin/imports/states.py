"""States of imports."""

from lineagegraph.errors import SourceFailed
from lineagegraph.graph import Transaction
from lineagegraph.store.admin import imports

RUNNING, DONE, UNDOING = "RUNNING", "DONE", "UNDOING"


def assert_kept(tx: Transaction, import_id: str) -> None:
    """Lock an import; raise `SourceFailed` if it was undone meanwhile, or is being undone."""
    if imports.claim_import(tx, id=import_id) in (None, UNDOING):
        raise SourceFailed("this import was undone, or is being undone: start a new import")
