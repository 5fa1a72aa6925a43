"""Create, rotate, list and revoke tokens.

A token is 256 random bits, and the graph keeps its SHA-256: it cannot be guessed from that, so a
slow hash, as passwords need, would slow down requests without more safety.
"""

import secrets
from collections.abc import Collection, Mapping
from datetime import datetime, timedelta
from functools import partial
from hashlib import sha256
from typing import Any

from lineagegraph.errors import ChangedMeanwhile, InvalidName, NameTaken, NotFound
from lineagegraph.graph import Graph, Transaction
from lineagegraph.model.access import Role
from lineagegraph.store.admin import tokens
from lineagegraph.store.admin.audit import make_audited
from lineagegraph.store.admin.tokens import TokenRow

_BYTES = 32
_LONGEST_NAME = 200
# Authors that are no tokens: a token of such a name would have their claims.
_OTHERS = ("user ", "run ")


def add_token(
    graph: Graph,
    name: str,
    covers: Mapping[Role, frozenset[str]],
    expires: timedelta | None = None,
    datasets: Collection[str] = (),
    take_over: bool = False,
) -> str:
    """Create a token and return it, only this once; raise `NameTaken` if the name exists.

    Schedules and claims belong to the name of their token: without `take_over` the name of a
    revoked token that left some is taken, too.

    `expires` is the time for which it is valid; without it, it is valid until it is revoked.
    `datasets` are patterns of dataset namespaces, as `s3://lake*`: from then on only tokens with
    a matching pattern may describe datasets there.
    """
    if not name.strip() or not name.isprintable() or len(name) > _LONGEST_NAME:
        raise InvalidName(
            f"{name!r} is not a valid token name: use up to {_LONGEST_NAME} characters"
        )
    if name.startswith(_OTHERS):
        raise InvalidName(f"{name!r} is not a valid token name: users and runs are named so")
    token = _make()
    namespaces: dict[str, Any] = {role.value: sorted(covers.get(role, ())) for role in Role}
    change = partial(
        _merge,
        take_over=take_over,
        name=name,
        hash=hash_token(token.encode()),
        datasets=sorted(set(datasets)),
        expires=expires,
        now=None,
        **namespaces,
    )
    if graph.write(make_audited, "token.add", name, change) is None:
        raise NameTaken(f"token named {name!r} exists already: choose another name, or revoke it")
    return token


def _merge(tx: Transaction, *, name: str, take_over: bool, **terms: Any) -> str | None:
    if not take_over and (left := tokens.list_left(tx, name=name)):
        raise NameTaken(
            f"a revoked token named {name!r} left {' and '.join(left)}: choose another name, or "
            "give them to the new token with `lineagegraph token add --take-over`"
        )
    return tokens.merge_token(tx, name=name, **terms)


def list_tokens(graph: Graph) -> list[TokenRow]:
    """Return the tokens by name."""
    return graph.read(tokens.list_tokens)


def rotate_token(
    graph: Graph, name: str, grace: timedelta, expires: timedelta | None = None
) -> str:
    """Replace a token and return the new one, only this once; the old one is valid for `grace`.

    Without `expires` the new one is valid for as long as the old one was. A second rotation ends
    the grace of the first.
    """
    token = _make()
    hash_ = hash_token(token.encode())
    change = partial(
        tokens.set_rotated, name=name, hash=hash_, grace=grace, expires=expires, now=None
    )
    if graph.write(make_audited, "token.rotate", name, change) is None:
        raise _unknown(name)
    return token


def note_uses(graph: Graph, uses: Mapping[str, datetime]) -> None:
    """Note the last use of tokens, by name."""
    rows = [{"name": name, "used_at": at} for name, at in uses.items()]
    graph.write(tokens.set_used, rows=rows)


def revoke_token(graph: Graph, name: str, created_at: datetime | None = None) -> None:
    """Delete a token: servers refuse it within seconds.

    With `created_at` only the one that was added then: `ChangedMeanwhile` is raised if the name
    was given to another one since.
    """
    change = partial(tokens.delete_token, name=name, created_at=created_at)
    if graph.write(make_audited, "token.revoke", name, change) is not None:
        return
    if any(one.name == name for one in list_tokens(graph)):
        raise ChangedMeanwhile(
            f"token named {name!r} was revoked meanwhile and added anew: look at the new one, and "
            "revoke that"
        )
    raise _unknown(name)


def hash_token(token: bytes) -> str:
    """Return the hash of a token, as the graph keeps it."""
    return sha256(token).hexdigest()


def _make() -> str:
    return f"lg_{secrets.token_urlsafe(_BYTES)}"


def _unknown(name: str) -> NotFound:
    return NotFound(f"no token named {name!r}: `lineagegraph token list` lists them")
