"""The list of dependencies of the wheel (SBOM): CycloneDX from requirements.lock.

`python -m tools.sbom` writes it. The same lock gives the same file.
"""

import re
import tomllib
from collections.abc import Iterable, Iterator
from importlib.metadata import PackageNotFoundError, metadata
from pathlib import Path
from typing import NamedTuple
from uuid import NAMESPACE_URL, uuid5

from cyclonedx.contrib.license.factories import LicenseFactory
from cyclonedx.model import Property
from cyclonedx.model.bom import Bom
from cyclonedx.model.component import Component, ComponentType
from cyclonedx.model.license import License
from cyclonedx.output import make_outputter
from cyclonedx.schema import OutputFormat, SchemaVersion
from packageurl import PackageURL

ROOT = Path(__file__).parents[1]
LOCK = ROOT / "requirements.lock"
SBOM = ROOT / "sbom.cdx.json"
_OWN = "lineagegraph (pyproject.toml)"
_DEV = "lineagegraph (pyproject.toml:dev)"
_PIN = re.compile(
    r"(?P<name>[\w.-]+)(?:\[[^]]*\])?==(?P<version>[^\s;\\]+)(?: ; (?P<marker>[^\\]+))?"
)
_CLASSIFIED = "License :: OSI Approved :: "
# Files of others in the package: (name, version, licence, purl). Its JavaScript is its own.
BUNDLED = [("OpenLineage", "2-0-2", "Apache-2.0", "pkg:github/OpenLineage/OpenLineage")]


class LockedPackage(NamedTuple):
    """A package of the lock, and what needs it."""

    name: str
    version: str
    marker: str
    needed_by: frozenset[str]


def read_lock(text: str) -> dict[str, LockedPackage]:
    """Return the packages of a lock that uv wrote, by name."""
    blocks = re.split(r"^(?=[A-Za-z0-9])", text, flags=re.MULTILINE)
    return {one.name: one for block in blocks if (one := _read_block(block))}


def list_needed(packages: dict[str, LockedPackage]) -> list[LockedPackage]:
    """Return the packages that the product needs, by name: without those for development only."""
    below: dict[str, set[str]] = {}
    for one in packages.values():
        for parent in one.needed_by:
            below.setdefault(parent, set()).add(one.name)
    needed, rest = set[str](), [_OWN]
    while rest:
        new = below.get(rest.pop(), set()) - needed
        needed |= new
        rest += new
    return [packages[name] for name in sorted(needed)]


def make_sbom(lock: str, version: str) -> str:
    """Return the CycloneDX document for a lock."""
    needed = list_needed(read_lock(lock))
    bom = Bom(serial_number=uuid5(NAMESPACE_URL, f"{version} {lock}"))
    own = Component(
        name="lineagegraph",
        version=version,
        type=ComponentType.APPLICATION,
        bom_ref="lineagegraph",
        purl=PackageURL("pypi", name="lineagegraph", version=version),
        licenses=list(_licences("Apache-2.0")),
    )
    bom.metadata.component = own
    # The time of the build would make each file another.
    bom.metadata.timestamp = None  # type: ignore[assignment]
    made = {one.name: _component(one) for one in needed}
    bundled = [_bundled(*one) for one in BUNDLED]
    bom.components.update([*made.values(), *bundled])
    direct = [made[one.name] for one in needed if _OWN in one.needed_by]
    bom.register_dependency(own, [*direct, *bundled])
    for name, component in made.items():
        bom.register_dependency(component, [made[o.name] for o in needed if name in o.needed_by])
    outputter = make_outputter(bom, OutputFormat.JSON, SchemaVersion.V1_6)
    return f"{outputter.output_as_string(indent=1)}\n"


def main() -> None:
    """Write the file that the wheel takes along."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    SBOM.write_text(make_sbom(LOCK.read_text("utf-8"), project["version"]), encoding="utf-8")


def _read_block(block: str) -> LockedPackage | None:
    found = _PIN.match(block)
    if found is None:
        return None
    via = block.partition("# via")[2]
    needed_by = (line.strip(" #") for line in via.splitlines())
    return LockedPackage(
        found["name"],
        found["version"],
        (found["marker"] or "").strip(),
        frozenset(filter(None, needed_by)) - {_DEV},
    )


def _component(one: LockedPackage) -> Component:
    marker = [Property(name="lineagegraph:marker", value=one.marker)] if one.marker else []
    return Component(
        name=one.name,
        version=one.version,
        type=ComponentType.LIBRARY,
        bom_ref=f"{one.name}=={one.version}",
        purl=PackageURL("pypi", name=one.name, version=one.version),
        licenses=list(_installed_licences(one.name)),
        properties=marker,
    )


def _bundled(name: str, version: str, licence: str, purl: str) -> Component:
    return Component(
        name=name,
        version=version,
        type=ComponentType.DATA,
        bom_ref=f"bundled:{name}",
        purl=PackageURL.from_string(f"{purl}@{version}"),
        licenses=list(_licences(licence)),
    )


def _installed_licences(name: str) -> Iterable[License]:
    """Return the licences that a package states; none if it is not for this platform."""
    try:
        stated = metadata(name)
    except PackageNotFoundError:
        return ()
    classified = [
        text.removeprefix(_CLASSIFIED)
        for text in stated.get_all("Classifier", [])
        if text.startswith(_CLASSIFIED)
    ]
    first_line = (stated.get("License") or "").strip().partition("\n")[0]
    text = stated.get("License-Expression") or " AND ".join(classified) or first_line
    return _licences(text) if text else ()


def _licences(text: str) -> Iterator[License]:
    yield LicenseFactory().make_from_string(text)


if __name__ == "__main__":
    main()
