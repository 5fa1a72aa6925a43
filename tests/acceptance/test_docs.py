"""What the documentation shows is true: its definitions are read, its settings exist."""

import re
from pathlib import Path

import pytest

from lineagegraph import errors
from lineagegraph.http.openapi import make_document
from lineagegraph.reading.parser import parse
from lineagegraph.settings import Settings

ROOT = Path(__file__).parents[2]
CONTRIBUTING = ROOT / "CONTRIBUTING.md"
PAGES = [ROOT / "README.md", CONTRIBUTING, *sorted((ROOT / "docs").glob("*.md"))]
BLOCK = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)
JSON = re.compile(r"^```json\n(.*?)^```$", re.MULTILINE | re.DOTALL)
EXAMPLES = [
    pytest.param(block, id=f"{page.stem}-{number}")
    for page in PAGES
    for number, block in enumerate(BLOCK.findall(page.read_text(encoding="utf-8")))
    if ("lg.pipeline(" in block or "lg.batch(" in block) and "import lineagegraph" in block
]
BATCHES = [
    pytest.param(block, id=f"{page.stem}-{number}")
    for page in PAGES
    for number, block in enumerate(JSON.findall(page.read_text(encoding="utf-8")))
    if block.startswith('{\n  "batch":')
]


@pytest.mark.parametrize("block", EXAMPLES)
def test_a_definition_in_the_documentation_is_read(block: str, tmp_path: Path) -> None:
    (tmp_path / "example.py").write_text(block)
    assert parse(tmp_path / "example.py", tmp_path, 60.0)


@pytest.mark.parametrize("block", BATCHES)
def test_a_batch_in_the_documentation_is_read(block: str, tmp_path: Path) -> None:
    (tmp_path / "kpi.json").write_text(block)
    assert parse(tmp_path / "kpi.json", tmp_path, 60.0)


def test_every_setting_is_documented_and_no_other() -> None:
    page = (ROOT / "docs" / "settings.md").read_text(encoding="utf-8")
    assert re.findall(r"^\| `(\w+)` \|", page, re.MULTILINE) == list(Settings.model_fields)


def test_every_path_is_told_of() -> None:
    """In full or, where pages shorten it, by its end: `…/jobs/{job}/runs`."""
    text = "\n".join(page.read_text(encoding="utf-8") for page in PAGES)
    told = {below_the_api(path) for path in re.findall(r"/[\w./{}-]+", text)}
    ends = tuple(below_the_api(path) for path in re.findall(r"…(/[\w./{}-]+)", text))
    paths = {below_the_api(path): path for path in make_document()["paths"]}
    assert [paths[p] for p in paths.keys() - told if not p.endswith(ends)] == []


def below_the_api(path: str) -> str:
    return re.sub(r"\{\w+\}", "{}", path.removeprefix("/api/v1"))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_links_between_pages_lead_to_a_file_and_a_heading(page: Path) -> None:
    for link in re.findall(r"\]\(([^)]+)\)", page.read_text(encoding="utf-8")):
        if "://" not in link:
            path, _, anchor = link.partition("#")
            target = page.parent / path if path else page
            assert target.exists(), link
            assert not anchor or anchor in anchors_of(target), link


def anchors_of(page: Path) -> set[str]:
    """The anchors of a page's headings, as GitHub makes them."""
    text = re.sub(r"^```.*?^```$", "", page.read_text(encoding="utf-8"), flags=re.M | re.S)
    headings = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading).lower().replace(" ", "-") for heading in headings}


def test_the_index_leads_to_every_page() -> None:
    text = (ROOT / "docs" / "index.md").read_text(encoding="utf-8")
    pages = {page.name for page in (ROOT / "docs").glob("*.md")} - {"index.md"}
    assert pages - set(re.findall(r"\]\((\w+\.md)\)", text)) == set()


def test_troubleshooting_has_every_error_that_is_raised() -> None:
    text = (ROOT / "docs" / "troubleshooting.md").read_text(encoding="utf-8")
    classes = [one for one in vars(errors).values() if isinstance(one, type)]
    names = {one.__name__ for one in classes if one is not errors.LineagegraphError}
    assert names - set(re.findall(r"`(\w+)`", text)) == set()


def test_the_files_that_contributing_names_exist() -> None:
    text = CONTRIBUTING.read_text(encoding="utf-8")
    named = re.findall(r"(?<![\w/])((?:cypher|docs|lineagegraph|tests)/[\w./]*\w)", text)
    assert [path for path in named if not (ROOT / path).exists()] == []
