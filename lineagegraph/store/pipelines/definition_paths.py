"""The paths of each host that definitions are read from."""

import msgspec

from lineagegraph.graph import Transaction, bound


class PathRow(msgspec.Struct, frozen=True):
    """A path; `folder` distinguishes a folder from one that replaced it."""

    key: str
    path: str
    folder: str | None
    namespace: str
    zone: str
    application: str


@bound
def claim_paths(tx: Transaction, *, host: str) -> None: ...


@bound
def merge_path(
    tx: Transaction,
    *,
    key: str,
    host: str,
    path: str,
    folder: str | None,
    namespace: str,
    zone: str,
    application: str,
) -> None: ...


@bound
def list_paths(tx: Transaction, *, host: str) -> list[PathRow]: ...


@bound
def list_forgotten(tx: Transaction, *, host: str) -> list[str]: ...


@bound
def merge_forgotten(tx: Transaction, *, key: str, host: str, path: str) -> None: ...


@bound
def delete_paths(tx: Transaction, *, keys: list[str]) -> None: ...
