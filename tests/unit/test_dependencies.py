"""`pyproject.toml` declares the packages that the product uses, and no others."""

import ast
import re
import sys
import tomllib
from collections.abc import Iterator
from importlib.metadata import packages_distributions
from pathlib import Path

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "lineagegraph"
USERS_FILES = PACKAGE / "cli" / "demo" / "experiments" / "project"
USED_WITHOUT_AN_IMPORT = {
    "googleapis-common-protos": "pyspark's client of Spark Connect",
    "grpcio": "pyspark's client of Spark Connect",
    "grpcio-status": "pyspark's client of Spark Connect",
    "httptools": "uvicorn parses requests with it",
    "ipykernel": "the kernel of notebook tasks",
    "ipywidgets": "the front end of anywidget's widgets",
    "jupyterlab": "started by `lineagegraph notebook`",
    "neo4j-rust-ext": "the driver reads and writes its messages with it",
    "protobuf": "pyspark's client of Spark Connect",
    "pip": "started to fetch a Java and to make environments",
    "pyarrow": "pandas and Spark exchange tables by it",
    "uvloop": "the event loop of uvicorn",
    "zstandard": "pyspark's client of Spark Connect packs large plans with it",
}


def test_each_imported_package_is_declared() -> None:
    homes = packages_distributions()
    undeclared = {
        name: sorted(files)
        for name, files in imported_packages().items()
        if not declared() & {spelled(each) for each in homes.get(name, [name])}
    }
    assert undeclared == {}


def test_each_declared_package_is_used() -> None:
    homes = packages_distributions()
    imported = {spelled(each) for name in imported_packages() for each in homes.get(name, [name])}
    assert declared() - imported - USED_WITHOUT_AN_IMPORT.keys() == set()
    assert USED_WITHOUT_AN_IMPORT.keys() - declared() == set()


def imported_packages() -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for file in PACKAGE.rglob("*.py"):
        if not file.is_relative_to(USERS_FILES):
            for name in imports(ast.parse(file.read_text())):
                found.setdefault(name, set()).add(str(file.relative_to(ROOT)))
    known = sys.stdlib_module_names | {"lineagegraph"}
    return {name: files for name, files in found.items() if name not in known}


def imports(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module.partition(".")[0]


def declared() -> set[str]:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    listed = [project["dependencies"], *project["optional-dependencies"].values()]
    return {
        spelled(found.group())
        for requirements in listed
        for each in requirements
        if (found := re.match(r"[\w.-]+", each))
    }


def spelled(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()
