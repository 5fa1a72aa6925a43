"""Which version of its job a run is of."""

import re

from lineagegraph.ingest.joined import Reporter
from lineagegraph.model.canonical import canonical_hash
from lineagegraph.model.states import FIRING

_HASH = re.compile(r"[0-9a-f]{64}")


def job_version(run: Reporter) -> str | None:
    """Return the hash of what a run ran: our own definition's, or else of what it showed.

    That is known at its end: its own name, its inputs and outputs, and where its code is. What ran
    nothing, or is not counted, shows none.
    """
    own = run.after.get("version")
    if own and _HASH.fullmatch(own):
        return str(own)
    if run.state not in FIRING:
        return None
    data = sorted(run.after.inputs), sorted(run.after.outputs)
    return canonical_hash([*run.name, *data, run.after.get("location")])
