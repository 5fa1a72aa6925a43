"""The house rules: rooms, names and words, measured."""

import ast
import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from tests.unit.explained_fields import list_unexplained

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "lineagegraph"
MOST_FILES = 40
MOST_UNEXPLAINED_FIELDS = 7
# Habits of a dialect: how often each may come in 1,000 words of docstrings.
HABITS = {
    ("what",): 2.0,
    ("say", "says", "said", "saying", "tell", "tells", "told"): 2.0,
    ("where",): 2.0,
    ("nobody", "somebody", "whoever", "anybody", "everybody"): 2.0,
    ("look", "looks", "looked", "looking"): 2.0,
    ("anew",): 0.3,
}
DOCUMENTED = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef


@cache
def trees() -> dict[Path, ast.Module]:
    return {file: ast.parse(file.read_text("utf-8")) for file in sorted(PACKAGE.rglob("*.py"))}


def docstrings() -> Iterator[str]:
    for tree in trees().values():
        for node in ast.walk(tree):
            if isinstance(node, DOCUMENTED) and (text := ast.get_docstring(node)):
                yield text


def test_a_public_class_has_a_name_of_its_own() -> None:
    places = defaultdict(list)
    for file, tree in trees().items():
        for node in ast.walk(tree):
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                places[node.name].append(f"{file.relative_to(ROOT)}:{node.lineno}")
    assert {name: found for name, found in places.items() if len(found) > 1} == {}


@pytest.mark.parametrize(("words", "most"), HABITS.items(), ids=lambda value: str(value))
def test_a_habit_of_wording_stays_rare(words: tuple[str, ...], most: float) -> None:
    counts = Counter(re.findall(r"[a-z']+", " ".join(docstrings()).lower()))
    assert 1000 * sum(counts[word] for word in words) / counts.total() < most


@pytest.mark.parametrize("root", [PACKAGE, ROOT / "cypher"], ids=["lineagegraph", "cypher"])
def test_no_folder_has_too_many_files(root: Path) -> None:
    folders = (root, *(path for path in root.rglob("*") if path.is_dir()))
    kinds = {".py", ".cypher"}
    sizes = {path: sum(file.suffix in kinds for file in path.iterdir()) for path in folders}
    assert {path for path, size in sizes.items() if size > MOST_FILES} == set()


def test_a_large_value_explains_each_field() -> None:
    named = {str(file.relative_to(ROOT)): tree for file, tree in trees().items()}
    sources = {file: (ROOT / file).read_text("utf-8") for file in named}
    assert list(list_unexplained(sources, named, MOST_UNEXPLAINED_FIELDS)) == []


def test_an_unexplained_field_of_a_large_value_is_found() -> None:
    source = """
Seconds = Annotated[float, Meta(description="Seconds.")]
class Parent(Struct):
    a: int  # count of a
    b: int = 0
class Child(Parent):
    c: int  # count of c
    # count of d
    d: int
    e: Annotated[int, about("Count of e.")]
    f: int = Field(description="Count of f.")
    g: Seconds
    h: Annotated[int, about(minimum=0)]  # noqa: X1
class NoValue:
    h: int
"""
    missing = ["x.py:5 Parent.b", "x.py:13 Child.h"]
    sources, trees = {"x.py": source}, {"x.py": ast.parse(source)}
    assert list(list_unexplained(sources, trees, 7)) == missing
    assert list(list_unexplained(sources, trees, 8)) == []


def test_store_and_cypher_have_the_same_rooms() -> None:
    modules = {
        file.relative_to(PACKAGE / "store").with_suffix("")
        for file, tree in trees().items()
        if file.is_relative_to(PACKAGE / "store") and "bound" in ast.dump(tree)
    }
    folders = {
        file.parent.relative_to(ROOT / "cypher") for file in (ROOT / "cypher").rglob("*.cypher")
    }
    of_graph = {Path(name) for name in ("schema", "schema/back", "migrations", "receipts")}
    assert folders - of_graph == modules


def test_the_page_on_architecture_names_every_room_and_only_files_that_exist() -> None:
    page = (ROOT / "docs" / "architecture.md").read_text("utf-8")
    rooms = {path.name for path in PACKAGE.iterdir() if (path / "__init__.py").is_file()}
    assert {room for room in rooms if f"`{room}" not in page} == set()
    links = re.findall(r"\]\((\.\./[^)#]+)\)", page)
    assert len(links) > 40
    assert [link for link in links if not (ROOT / "docs" / link).exists()] == []
