"""The environment of this process."""

import json
import platform
import re
import sysconfig
from collections.abc import Iterator
from functools import cache
from importlib.metadata import Distribution, PackageNotFoundError, distributions, requires
from typing import Any
from urllib.parse import urlsplit, urlunsplit

from lineagegraph.model.pipelines.environment import Environment, Package

_NAME = re.compile(r"[\w.-]+")
_SEPARATORS = re.compile(r"[-_.]+")


@cache
def installed_environment() -> Environment:
    """Return Python, platform and packages of this process, as they were when first asked for."""
    found: dict[str, Package] = {}
    for distribution in distributions():
        # The first on the path is the one that is imported.
        if name := distribution.metadata["Name"]:
            found.setdefault(normalised(name), _package(name, distribution))
    packages = tuple(sorted(found.values()))
    return Environment(platform.python_version(), sysconfig.get_platform(), packages)


@cache
def needed_by(name: str) -> frozenset[str]:
    """Return the names of all that an installed package needs, directly or not; no extras."""
    found: set[str] = set()
    pending = [name]
    while pending:
        needs = set(_requirements(pending.pop())) - found
        found |= needs
        pending += needs
    return frozenset(found)


def normalised(name: str) -> str:
    """Return a package's name as PEP 503 spells it."""
    return _SEPARATORS.sub("-", name).lower()


def _requirements(name: str) -> Iterator[str]:
    try:
        said = requires(name) or ()
    except PackageNotFoundError:
        return
    for text in said:
        if "extra ==" not in text and (start := _NAME.match(text)):
            yield normalised(start[0])


def _package(name: str, distribution: Distribution) -> Package:
    return Package(normalised(name), distribution.version, _direct_url(distribution))


def _direct_url(distribution: Distribution) -> str | None:
    """Return the origin of a package by PEP 610, without credentials."""
    try:
        said = json.loads(distribution.read_text("direct_url.json") or "null")
        return _spell(said) if said else None
    except (ValueError, KeyError, TypeError, OSError):
        return None


def _spell(said: dict[str, Any]) -> str:
    parts = urlsplit(said["url"])
    host = parts.netloc.rpartition("@")[2]
    url = urlunsplit((parts.scheme, host, parts.path, "", ""))
    if vcs := said.get("vcs_info"):
        return f"{vcs['vcs']}+{url}@{vcs['commit_id']}"
    return f"{url}#editable" if said.get("dir_info", {}).get("editable") else url
