"""The built wheel has all that it needs, and works away from the checkout."""

import json
import re
import subprocess
import sys
import sysconfig
import venv
import zipfile
from pathlib import Path
from urllib.parse import urljoin

import httpx2 as httpx
import pytest

from lineagegraph.neo4j_server import ServerAddress
from tests.acceptance.processes import shared

ROOT = Path(__file__).parents[2]
PIPELINE = """
import lineagegraph as lg
lg.pipeline("hello", tasks=[lg.command("say", ["echo", "hello"])])
"""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("dist")
    build = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation"]
    subprocess.run([*build, "--wheel-dir", str(folder), str(ROOT)], check=True)
    (found,) = folder.glob("*.whl")
    return found


@pytest.fixture(scope="module")
def python(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An environment with the wheel; its dependencies are those of this one."""
    folder = tmp_path_factory.mktemp("environment")
    venv.create(folder, symlinks=True)
    packages = next((folder / "lib").glob("python*")) / "site-packages"
    with zipfile.ZipFile(wheel) as unpacked:
        unpacked.extractall(packages)
    (packages / "dependencies.pth").write_text(sysconfig.get_paths()["purelib"])
    return folder / "bin" / "python"


def test_the_wheel_has_every_file_that_is_no_code(wheel: Path) -> None:
    needed = {
        "lineagegraph/cypher/runs/runs/merge_runs.cypher",
        "lineagegraph/cypher/schema/V0001__baseline.cypher",
        "lineagegraph/notebooks/01_explore_lineage.ipynb",
        "lineagegraph/py.typed",
    }
    files = (file for file in (ROOT / "lineagegraph").rglob("*") if file.is_file())
    needed |= {str(one.relative_to(ROOT)) for one in files if one.suffix not in {".py", ".pyc"}}
    with zipfile.ZipFile(wheel) as packed:
        assert needed - set(packed.namelist()) == set()


def test_the_wheel_has_the_list_of_its_dependencies(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as packed:
        (name,) = (one for one in packed.namelist() if ".dist-info/sboms/" in one)
        assert packed.read(name) == (ROOT / "sbom.cdx.json").read_bytes()


def test_the_wheel_works_away_from_the_checkout(
    python: Path, server: ServerAddress, tmp_path: Path
) -> None:
    (tmp_path / "hello.py").write_text(PIPELINE)

    def run(*words: str) -> str:
        done = subprocess.run(
            [str(python), *words],
            cwd=tmp_path,
            env=shared(server, tmp_path / "home") | {"PATH": "/usr/bin:/bin"},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    where = run("-c", "import lineagegraph; print(lineagegraph.__file__)").strip()
    assert not Path(where).is_relative_to(ROOT)
    assert "new version" in run("-m", "lineagegraph.cli", "sync", "hello.py")
    assert "COMPLETED" in run("-m", "lineagegraph.cli", "run", "hello")
    assert "say task" in run("-m", "lineagegraph.cli", "jobs", "hello")


def test_the_wheel_serves_the_page_and_the_reference(
    python: Path, server: ServerAddress, tmp_path: Path
) -> None:
    environment = shared(server, tmp_path / "home") | {"PATH": "/usr/bin:/bin"}

    def run(*words: str) -> str:
        command = [str(python), "-m", "lineagegraph.cli", *words]
        done = subprocess.run(
            command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    run("up", "--detach")
    try:
        url = json.loads(run("status", "--json"))["http"]
        with httpx.Client(base_url=url, timeout=60) as client:
            assert fetched(client, "/").keys() >= {
                "/ui/page/page.css",
                "/ui/explorer/explorer.js",
                "/ui/page/notebook_cell.js",
            }
            assert fetched(client, "/docs").keys() >= {
                "/docs/swagger-ui-bundle.js",
                "/docs/swagger-ui.css",
            }
            shown = client.post("/api/v1/views/now/now", json={})
            assert shown.status_code == 200, shown.text
    finally:
        run("down")


def fetched(client: httpx.Client, path: str) -> dict[str, str]:
    """Return a page and all that it and its modules load, by path."""
    found: dict[str, str] = {}
    waiting = [path]
    while waiting:
        one = waiting.pop()
        if one in found:
            continue
        answer = client.get(one)
        assert answer.status_code == 200, one
        found[one] = answer.text
        if one == path:
            waiting += re.findall(r'(?:src|href)="(/[^"]+[.](?:js|css))"', answer.text)
        elif one.startswith("/ui/"):
            imports = re.findall(r'(?: from |import[(])"([.][^"]+)"', answer.text)
            waiting += [urljoin(one, name) for name in imports]
    return found
