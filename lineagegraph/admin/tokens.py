"""Create, list and revoke tokens.

A token is 256 random bits, and the graph keeps its SHA-256: it cannot be guessed from that, so a
slow hash, as passwords need, would slow down requests without more safety.
"""

import secrets
from collections.abc import Mapping
from hashlib import sha256

from lineagegraph.errors import InvalidName, NameTaken, NotFound
from lineagegraph.graph import Graph
from lineagegraph.model.access import Role
from lineagegraph.store.admin import tokens
from lineagegraph.store.admin.tokens import TokenRow

_BYTES = 32
_LONGEST_NAME = 200


def add_token(graph: Graph, name: str, covers: Mapping[Role, frozenset[str]]) -> str:
    """Create a token and return it, only this once; raise `NameTaken` if the name exists."""
    if not name.strip() or not name.isprintable() or len(name) > _LONGEST_NAME:
        raise InvalidName(
            f"{name!r} is not a valid token name: use up to {_LONGEST_NAME} characters"
        )
    token = f"lg_{secrets.token_urlsafe(_BYTES)}"
    added = graph.write(
        tokens.merge_token,
        name=name,
        hash=hash_token(token.encode()),
        now=None,
        **{role.value: sorted(covers.get(role, ())) for role in Role},
    )
    if added is None:
        raise NameTaken(f"token {name!r} exists already: choose another name, or revoke it")
    return token


def list_tokens(graph: Graph) -> list[TokenRow]:
    """Return the tokens by name."""
    return graph.read(tokens.list_tokens)


def revoke_token(graph: Graph, name: str) -> None:
    """Delete a token: servers refuse it within seconds."""
    if graph.write(tokens.delete_token, name=name) is None:
        raise NotFound(f"no token {name!r}: `lineagegraph token list` lists them")


def hash_token(token: bytes) -> str:
    """Return the hash of a token, as the graph keeps it."""
    return sha256(token).hexdigest()
