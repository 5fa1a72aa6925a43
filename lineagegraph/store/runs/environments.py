"""Environments that runs ran in, each kept once."""

import msgspec

from lineagegraph.graph import Transaction, bound
from lineagegraph.model.pipelines.environment import Environment, Package
from lineagegraph.model.typed import decode_json


class EnvironmentRow(msgspec.Struct, frozen=True):
    """An environment; `packages` is JSON text."""

    sha256: str
    python: str
    platform: str
    packages: str

    def read(self) -> Environment:
        """Return it with its packages."""
        packages = decode_json(self.packages, into=tuple[Package, ...])
        return Environment(self.python, self.platform, packages)


class WantedEnvironment(EnvironmentRow, frozen=True):
    """An environment that a run is held to; an `isolated` one is built from its lock."""

    isolated: bool


def write_environment(tx: Transaction, run_id: str, found: Environment) -> None:
    """Store the environment of a run."""
    merge_environment(
        tx,
        run_id=run_id,
        sha256=found.sha256,
        python=found.python,
        platform=found.platform,
        packages=msgspec.json.encode(found.packages).decode(),
    )


@bound
def merge_environment(
    tx: Transaction, *, run_id: str, sha256: str, python: str, platform: str, packages: str
) -> None: ...


@bound
def get_environment(tx: Transaction, *, run_id: str) -> EnvironmentRow | None: ...


@bound
def get_wanted(tx: Transaction, *, run_id: str) -> WantedEnvironment | None: ...
