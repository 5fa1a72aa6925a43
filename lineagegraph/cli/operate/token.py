"""`token add|list|revoke`: access to the HTTP server."""

from collections.abc import Iterable
from typing import Annotated

import typer

from lineagegraph.admin.tokens import add_token, list_tokens, revoke_token
from lineagegraph.cli.connect import connected
from lineagegraph.cli.console import print_json, print_table, results
from lineagegraph.cli.formatting import clock
from lineagegraph.cli.options import Json
from lineagegraph.model.access import Role
from lineagegraph.settings import load_settings
from lineagegraph.store.admin.tokens import TokenRow

app = typer.Typer(no_args_is_help=True, help="Create and revoke tokens of the HTTP server.")
Name = Annotated[str, typer.Argument(help="Token name, such as its user's name.")]


@app.command()
def add(
    name: Name,
    role: Annotated[
        list[str],
        typer.Option(metavar="ROLE[:NAMESPACE]", help="read, write or operate (repeatable)."),
    ],
    namespace: Annotated[
        list[str] | None,
        typer.Option(help="Namespace for each --role that has none; * for all."),
    ] = None,
) -> None:
    """Create a token and print it; it cannot be shown again."""
    covers = _covers(role, namespace or [])
    with connected(load_settings()) as graph:
        token = add_token(graph, name, covers)
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
            *(", ".join(names) for names in (token.read, token.write, token.operate)),
            clock(token.created_at),
        )
        for token in found
    ]
    columns = ("NAME", "READ", "WRITE", "OPERATE", "MADE")
    print_table(columns, rows, "no tokens yet: `lineagegraph token add` makes one")


@app.command()
def revoke(name: Name) -> None:
    """Revoke a token; servers refuse it within seconds."""
    with connected(load_settings()) as graph:
        revoke_token(graph, name)
    results.print(f"revoked {name}")


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


def _shown(token: TokenRow) -> dict[str, object]:
    return {
        "name": token.name,
        "read": token.read,
        "write": token.write,
        "operate": token.operate,
        "created_at": token.created_at,
    }
