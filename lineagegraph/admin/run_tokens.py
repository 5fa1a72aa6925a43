"""Tokens of single runs: each is valid until its run ends, and covers no other run."""

import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import timedelta

from lineagegraph.admin.tokens import hash_token
from lineagegraph.errors import GraphError
from lineagegraph.graph import Graph
from lineagegraph.store.runs import run_tokens

PREFIX = "lgr_"
_BYTES = 32


@contextmanager
def run_token(graph: Graph, run_id: str, age: timedelta) -> Iterator[str]:
    """Create a token for a run, and delete it at the end; the graph has only its hash."""
    token = f"{PREFIX}{secrets.token_urlsafe(_BYTES)}"
    hash_ = hash_token(token.encode())
    graph.write(run_tokens.merge_run_token, run_id=run_id, hash=hash_, age=age, now=None)
    try:
        yield token
    finally:
        # The token is refused as well because the run has ended.
        with suppress(GraphError):
            graph.write(run_tokens.delete_run_token, run_id=run_id, hash=hash_)
