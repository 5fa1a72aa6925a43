"""The list of dependencies is that of the lock, valid, and without what only development needs."""

import json
import tomllib
from typing import Any

from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator

from tools.sbom import LOCK, ROOT, SBOM, make_sbom, read_lock

LOCKED = LOCK.read_text("utf-8")
VERSION = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["version"]


def parts(text: str) -> dict[str, Any]:
    """All but the licences, which are known of installed packages only."""
    found: dict[str, Any] = json.loads(text)
    for component in found["components"]:
        component.pop("licenses", None)
    return found


def test_the_kept_file_is_that_of_the_lock() -> None:
    assert parts(SBOM.read_text("utf-8")) == parts(make_sbom(LOCKED, VERSION)), "run `make wheel`"


def test_it_is_valid_and_each_installed_package_has_a_licence() -> None:
    text = SBOM.read_text("utf-8")
    assert JsonStrictValidator(SchemaVersion.V1_6).validate_str(text) is None
    packages = read_lock(LOCKED)
    for component in json.loads(text)["components"]:
        is_everywhere = component["name"] in packages and not packages[component["name"]].marker
        assert component.get("licenses") or not is_everywhere, component["name"]


def test_it_has_what_the_product_needs_and_not_what_its_tests_need() -> None:
    names = {component["name"] for component in json.loads(SBOM.read_bytes())["components"]}
    assert {"neo4j", "starlette", "anyio", "OpenLineage"} <= names
    assert not {"pytest", "mypy", "cyclonedx-python-lib", "pip-audit"} & names
    assert names - {"OpenLineage"} <= read_lock(LOCKED).keys()
