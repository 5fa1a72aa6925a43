"""Environment of a run: Python, the platform and the installed packages, as a lock."""

from collections.abc import Iterator

import msgspec

from lineagegraph.model.names.keys import canonical_hash
from lineagegraph.model.names.named_values import list_changed


class Package(msgspec.Struct, frozen=True, order=True):
    """An installed package; `url` is its source, if not an index."""

    name: str
    version: str
    url: str | None = None


class Environment(msgspec.Struct, frozen=True):
    """A lock; the packages are sorted by their normalised names."""

    python: str
    platform: str
    packages: tuple[Package, ...]

    @property
    def sha256(self) -> str:
        """Return the hash of the lock: equal environments are stored once."""
        return canonical_hash(self)


class EnvironmentChange(msgspec.Struct, frozen=True):
    """A difference between two environments; None for an absent package."""

    name: str
    before: str | None
    after: str | None


def compare_environments(before: Environment, after: Environment) -> list[EnvironmentChange]:
    """Return the differences, Python first; the platform is ignored, as it does not change the
    code.
    """
    return list(_changes(before, after))


def _changes(before: Environment, after: Environment) -> Iterator[EnvironmentChange]:
    if before.python != after.python:
        yield EnvironmentChange("Python", before.python, after.python)
    old, new = (
        {package.name: _describe_package(package) for package in side.packages}
        for side in (before, after)
    )
    yield from (EnvironmentChange(*one) for one in list_changed(old, new))


def _describe_package(package: Package) -> str:
    return f"{package.version} ({package.url})" if package.url else package.version
