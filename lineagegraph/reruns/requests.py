"""Requests with idempotency keys: a request that is sent again finds the run of the first."""

from typing import Any

import msgspec

from lineagegraph.errors import KeyReused
from lineagegraph.graph import Transaction
from lineagegraph.model.names.keys import canonical_hash
from lineagegraph.store.runs import launches


class KeyedRequest(msgspec.Struct, frozen=True):
    """A request for a run, as it is told from others."""

    key: str  # idempotency key
    run_id: str  # id of its run, which follows from the key
    job_key: str  # key of the run's job
    about: str  # what is started, for messages
    hash: str  # what the request asks for


def request_hash(request: Any) -> str:
    """Return the hash of a request; equal ones have equal hashes, also with sets."""
    return canonical_hash(msgspec.to_builtins(request, order="sorted"))


def is_known(tx: Transaction, request: KeyedRequest) -> bool:
    """Return whether a request of this key was queued; the lock makes another one wait.

    Raises `KeyReused` if that was another request.
    """
    known = launches.claim_requested(tx, job_key=request.job_key, id=request.run_id)
    if known is not None and known != request.hash:
        raise KeyReused(
            f"idempotency key {request.key!r} started run {request.run_id} of {request.about} with "
            "another request: use another key"
        )
    return known is not None
