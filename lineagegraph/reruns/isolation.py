"""Checks whether an environment can be built from its lock."""

from collections.abc import Iterator

from lineagegraph.model.pipelines.environment import Environment, Package

OURSELVES = "lineagegraph"


def cannot_be_built(lock: Environment) -> Iterator[str]:
    """Yield the packages that cannot be installed again."""
    for package in wanted(lock):
        if package.url and package.url.startswith("file:"):
            yield f"{package.name} was installed from {package.url}, which may have changed since"


def wanted(lock: Environment) -> list[Package]:
    """Return the packages to install; lineagegraph itself is that of today."""
    return [one for one in lock.packages if one.name != OURSELVES]
