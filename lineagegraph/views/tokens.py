"""Tokens of the HTTP server: make, list and revoke them."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

import msgspec

from lineagegraph.admin.tokens import add_token, list_tokens, revoke_token
from lineagegraph.model.access import EVERYWHERE, Role
from lineagegraph.store.admin.tokens import TokenRow
from lineagegraph.views.view import View

_LONGEST_DAYS = 36_525


class KnownToken(msgspec.Struct, frozen=True):
    """A token without its secret; `covers` has a text `ROLE:NAMESPACE` for each right."""

    name: str
    covers: list[str]
    created_at: datetime
    expires_at: datetime | None
    used_at: datetime | None


class TokensView(View):
    """The tokens, for callers with the role `admin` on all namespaces.

    Nobody gives away or takes away rights that they do not have themselves.
    """

    acts = frozenset({"add", "revoke"})

    def needs(self, question: str, about: Mapping[str, Any]) -> list[tuple[Role, str]]:
        """Return the roles that a question needs: admin, and those that it gives or takes away."""
        return [(Role.ADMIN, EVERYWHERE), *self._rights(question, about)]

    def answer_tokens(self) -> list[KnownToken]:
        """Return the tokens by name."""
        return [
            KnownToken(
                one.name,
                [f"{role}:{namespace}" for role, namespace in _covers(one)],
                one.created_at,
                one.expires_at,
                one.used_at,
            )
            for one in list_tokens(self._graph)
        ]

    def answer_add(
        self, name: str, roles: list[Role], namespaces: list[str], days: int | None = None
    ) -> str:
        """Create a token with some roles on some namespaces, and return it, only this once."""
        if not roles or not namespaces:
            raise ValueError("choose a role, and name a namespace: * is every namespace")
        if days is not None and not 1 <= days <= _LONGEST_DAYS:
            raise ValueError(f"it is valid for 1 to {_LONGEST_DAYS:,} days")
        covers = {role: frozenset(namespaces) for role in roles}
        return add_token(self._graph, name, covers, timedelta(days=days) if days else None)

    def answer_revoke(self, name: str, created_at: datetime | None = None) -> None:
        """Revoke a token, the one that was added at a time: servers refuse it within seconds."""
        revoke_token(self._graph, name, created_at)

    def _rights(self, question: str, about: Mapping[str, Any]) -> list[tuple[Role, str]]:
        if question == "add":
            return [(Role(role), one) for role in about["roles"] for one in about["namespaces"]]
        if question == "revoke":
            found = [one for one in list_tokens(self._graph) if one.name == about["name"]]
            return [right for one in found for right in (*_covers(one), *_owned(one))]
        return []


def _covers(token: TokenRow) -> list[tuple[Role, str]]:
    return [(role, namespace) for role in Role for namespace in getattr(token, role.value)]


def _owned(token: TokenRow) -> list[tuple[Role, str]]:
    """Return what is needed to free dataset namespaces that only a token may describe."""
    return [(Role.WRITE, EVERYWHERE)] if token.datasets else []
