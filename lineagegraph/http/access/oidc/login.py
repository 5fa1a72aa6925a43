"""Users of the provider that the settings name, and their roles."""

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from typing import Any, NamedTuple

from lineagegraph.admin.sessions import User
from lineagegraph.errors import SettingsError
from lineagegraph.http.access.oidc.claims import ClaimsRefused, Expected, read_claims
from lineagegraph.http.access.oidc.provider import Provider, is_safe
from lineagegraph.model.access import Caller, Role, read_covers
from lineagegraph.settings import Settings

_LONGEST_NAME = 200
_MOST_GROUPS = 1_000


class Admitted(NamedTuple):
    """A user whose token was checked, and when that token expires."""

    user: User
    until: datetime


class Login:
    """Reads users from signed claims, and gives them the roles of their groups."""

    def __init__(self, settings: Settings) -> None:
        assert settings.oidc_issuer is not None
        self.issuer = settings.oidc_issuer
        self.provider = Provider(self.issuer)
        self.client_id = settings.oidc_client_id
        self._audience = settings.oidc_audience
        self._roles_claim = settings.oidc_roles_claim
        self._name_claim = settings.oidc_name_claim
        self._covers = {
            group: _covers(group, texts) for group, texts in settings.oidc_roles.items()
        }

    def admit(self, token: bytes) -> Admitted:
        """Return the user of an access token; raise `ClaimsRefused` or `ProviderAway`."""
        if self._audience is None:
            raise ClaimsRefused("tokens of the login provider need the setting oidc_audience")
        return self._admitted(
            read_claims(self.provider, token, Expected("oidc_audience", self._audience))
        )

    def admit_login(self, id_token: bytes, nonce: str) -> Admitted:
        """Return the user of an id token that was asked for with `nonce`."""
        assert self.client_id is not None
        claims = read_claims(self.provider, id_token, Expected("oidc_client_id", self.client_id))
        if claims.get("nonce") != nonce:
            raise ClaimsRefused("the login answers another request than this one")
        if claims.get("azp", self.client_id) != self.client_id:
            raise ClaimsRefused("the login was made for another client")
        return self._admitted(claims)

    def caller_of(self, name: str, groups: Iterable[str]) -> Caller:
        """Return a user with the roles that its groups have by today's settings."""
        covers = dict.fromkeys(Role, frozenset[str]())
        for group in groups:
            for role, namespaces in self._covers.get(group, {}).items():
                covers[role] |= namespaces
        return Caller(None, covers, name)

    def _admitted(self, claims: Mapping[str, Any]) -> Admitted:
        name = claims.get(self._name_claim)
        if not isinstance(name, str) or not name.strip() or not name.isprintable():
            raise ClaimsRefused(f"the token lacks the claim {self._name_claim} (oidc_name_claim)")
        groups = [one for one in _groups(claims, self._roles_claim) if one in self._covers]
        # A date beyond what a clock knows is as good as the last that it does.
        until = datetime.fromtimestamp(min(claims["exp"], 4e9), UTC)
        user = User(self.issuer, name[:_LONGEST_NAME], tuple(groups[:_MOST_GROUPS]))
        return Admitted(user, until)


def load_login(settings: Settings) -> Login | None:
    """Return the login of the settings, or None; raise `SettingsError` if they do not fit."""
    others = (settings.oidc_audience, settings.oidc_client_id)
    if settings.oidc_issuer is None:
        if any(others):
            raise SettingsError("setting oidc_issuer: name the provider, or unset the other oidc_…")
        return None
    if not is_safe(settings.oidc_issuer):
        raise SettingsError(
            f"setting oidc_issuer: {settings.oidc_issuer!r} is not an https:// address"
        )
    if not any(others):
        raise SettingsError(
            "setting oidc_issuer: set oidc_audience for tokens, oidc_client_id for the login in a "
            "browser, or both"
        )
    return Login(settings)


def _covers(group: str, texts: Iterable[str]) -> dict[Role, frozenset[str]]:
    try:
        return read_covers(texts)
    except ValueError as error:
        raise SettingsError(f"setting oidc_roles.{group}: {error}") from None


def _groups(claims: Mapping[str, Any], path: str) -> list[str]:
    """Return the values of a claim: by its name, or by a path of names with dots."""
    value: Any = claims.get(path)
    if value is None:
        value = claims
        for part in path.split("."):
            value = value.get(part) if isinstance(value, Mapping) else None
    if isinstance(value, str):
        return value.split() if path == "scope" else [value]
    return [one for one in value if isinstance(one, str)] if isinstance(value, list) else []
