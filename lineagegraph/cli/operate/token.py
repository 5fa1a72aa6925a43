"""`token add|list|rotate|revoke`: access to the HTTP server."""

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from typing import Annotated

import typer

from lineagegraph.admin.sessions import end_sessions_of
from lineagegraph.admin.tokens import add_token, list_tokens, revoke_token, rotate_token
from lineagegraph.cli.connect import connected
from lineagegraph.cli.console import print_json, print_table, results
from lineagegraph.cli.formatting import clock
from lineagegraph.cli.options import Json
from lineagegraph.model.access import Role
from lineagegraph.settings import load_settings, read_age
from lineagegraph.store.admin.tokens import TokenRow

app = typer.Typer(no_args_is_help=True, help="Create, rotate and revoke tokens of the HTTP server.")
Name = Annotated[str, typer.Argument(help="Token name, such as its user's name.")]
_CENTURY = timedelta(days=36_525)


def _read_lifetime(text: str) -> timedelta:
    try:
        found = read_age(text)
    except ValueError as error:
        raise typer.BadParameter(str(error)) from None
    if found > _CENTURY:
        raise typer.BadParameter(f"{text!r} is more than 100 years")
    return found


Expires = Annotated[
    timedelta | None,
    typer.Option(
        parser=_read_lifetime, metavar="AGE", help="Time for which it is valid, such as 30d."
    ),
]


@app.command()
def add(
    name: Name,
    role: Annotated[
        list[str],
        typer.Option(
            metavar="ROLE[:NAMESPACE]", help="read, write, operate or admin (repeatable)."
        ),
    ],
    namespace: Annotated[
        list[str] | None,
        typer.Option(help="Namespace for each --role that has none; * for all."),
    ] = None,
    datasets: Annotated[
        list[str] | None,
        typer.Option(
            metavar="PATTERN",
            help="Dataset namespaces that only tokens with such a pattern describe, as "
            "'s3://lake*' (repeatable).",
        ),
    ] = None,
    expires: Expires = None,
    take_over: Annotated[
        bool,
        typer.Option(
            "--take-over", help="Give it the schedules and claims of a revoked token of this name."
        ),
    ] = False,
) -> None:
    """Create a token and print it; it cannot be shown again."""
    covers = _covers(role, namespace or [])
    with connected(load_settings()) as graph:
        token = add_token(graph, name, covers, expires, datasets or [], take_over)
    results.print(token)


@app.command("list")
def list_all(json: Json = False) -> None:
    """List the tokens and their roles."""
    with connected(load_settings()) as graph:
        found = list_tokens(graph)
    if json:
        print_json([_shown(token) for token in found])
        return
    rows = [
        (
            token.name,
            *(
                ", ".join(names)
                for names in (token.read, token.write, token.operate, token.admin, token.datasets)
            ),
            clock(token.created_at),
            _describe_expiry(token),
            clock(token.used_at) if token.used_at else "never",
        )
        for token in found
    ]
    columns = ("NAME", "READ", "WRITE", "OPERATE", "ADMIN", "DATASETS", "MADE", "EXPIRES", "USED")
    print_table(columns, rows, "no tokens yet: `lineagegraph token add` makes one")


@app.command()
def rotate(
    name: Name,
    grace: Annotated[
        timedelta | None,
        typer.Option(
            parser=_read_lifetime,
            metavar="AGE",
            help="Time for which the old one works, as 1h; without it none.",
        ),
    ] = None,
    expires: Expires = None,
) -> None:
    """Replace a token and print the new one; without --expires it is valid for as long again."""
    with connected(load_settings()) as graph:
        token = rotate_token(graph, name, grace or timedelta(0), expires)
    results.print(token)


@app.command()
def revoke(name: Name) -> None:
    """Revoke a token; servers refuse it within seconds."""
    with connected(load_settings()) as graph:
        revoke_token(graph, name)
    results.print(f"revoked {name}")


@app.command("end-sessions")
def end_sessions(
    user: Annotated[str, typer.Argument(help="Name of a login provider's user, as in signatures.")],
) -> None:
    """End all sessions in browsers of a user; servers refuse them within seconds."""
    with connected(load_settings()) as graph:
        ended = end_sessions_of(graph, user)
    results.print(f"ended {ended} session{'' if ended == 1 else 's'} of {user}")


def _covers(roles: Iterable[str], namespaces: list[str]) -> dict[Role, frozenset[str]]:
    covers: dict[Role, frozenset[str]] = {}
    for given in roles:
        word, _, own = given.partition(":")
        where = frozenset([own] if own else namespaces)
        if word not in list(Role):
            raise typer.BadParameter(
                f"{word!r} is not a role: use one of {', '.join(Role)}", param_hint="--role"
            )
        if not where:
            raise typer.BadParameter(
                f"role {word!r} needs a namespace: --namespace NAME, or --namespace '*' for all",
                param_hint="--namespace",
            )
        covers[Role(word)] = covers.get(Role(word), frozenset()) | where
    return covers


def _describe_expiry(token: TokenRow) -> str:
    now = datetime.now(UTC)
    text = "never" if token.expires_at is None else clock(token.expires_at)
    if token.expires_at and token.expires_at < now:
        return f"{text} (expired)"
    if token.old_until and token.old_until > now:
        return f"{text} (the old one {clock(token.old_until)})"
    return text


def _shown(token: TokenRow) -> dict[str, object]:
    return {
        "name": token.name,
        "read": token.read,
        "write": token.write,
        "operate": token.operate,
        "admin": token.admin,
        "datasets": token.datasets,
        "created_at": token.created_at,
        "expires_at": token.expires_at,
        "used_at": token.used_at,
        "rotated_at": token.rotated_at,
        "old_until": token.old_until,
    }
