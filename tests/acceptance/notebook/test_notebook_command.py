"""`lineagegraph notebook`: a JupyterLab whose kernels have the settings of the command."""

import json
import os
import signal
from pathlib import Path

import httpx2 as httpx
import psutil

from lineagegraph.neo4j_server import ServerAddress
from lineagegraph.settings import Settings
from lineagegraph.views.jupyter import find_jupyter
from tests.acceptance.processes import Commands, shared, until

CONFIG = """
c.ServerApp.allow_root = True
c.ServerApp.open_browser = False
c.ServerApp.port = 0
"""


def test_its_kernels_have_the_command_s_settings_and_its_notebooks_are_trusted(
    server: ServerAddress, tmp_path: Path
) -> None:
    """Also those of the settings file, which is where the command is and no kernel is."""
    runtime, config = tmp_path / "runtime", tmp_path / "config"
    config.mkdir()
    (config / "jupyter_server_config.py").write_text(CONFIG)
    (tmp_path / "lineagegraph.toml").write_text("namespace = 'theirs'\n")
    places = {
        "JUPYTER_RUNTIME_DIR": str(runtime),
        "JUPYTER_CONFIG_DIR": str(config),
        "JUPYTER_DATA_DIR": str(tmp_path / "data"),
    }
    process = Commands(tmp_path, shared(server, Path("home")) | places).start("notebook")
    try:
        until(lambda: list(runtime.glob("jpserver-*.json")), seconds=120)
        (file,) = runtime.glob("jpserver-*.json")
        lab = json.loads(file.read_text())
        assert Path(lab["root_dir"]) == tmp_path / "home" / "notebooks"
        assert find_jupyter(Settings(home=tmp_path / "home")) == lab["url"]
        at = f"{lab['url']}api/kernels"
        httpx.post(at, params={"token": lab["token"]}, timeout=60).raise_for_status()
        children = psutil.Process(process.pid).children(recursive=True)
        (kernel,) = [child for child in children if is_kernel(child)]
        settings = kernel.environ()
        assert settings["LINEAGEGRAPH_NAMESPACE"] == "theirs"
        assert settings["LINEAGEGRAPH_HOME"] == str(tmp_path / "home")
        assert settings["LINEAGEGRAPH_NEO4J_URI"] == server.bolt
        # JupyterLab draws the SVG of cells that it trusts only.
        opened = httpx.get(
            f"{lab['url']}api/contents/01_explore_lineage.ipynb", params={"token": lab["token"]}
        ).json()["content"]["cells"]
        assert all(cell["metadata"]["trusted"] for cell in opened if cell["cell_type"] == "code")
    finally:
        os.killpg(process.pid, signal.SIGTERM)
        process.wait(timeout=60)
    assert find_jupyter(Settings(home=tmp_path / "home")) is None


def is_kernel(process: psutil.Process) -> bool:
    """Tell whether this is a kernel: Jupyter has other children, some of which end meanwhile."""
    try:
        return "ipykernel_launcher" in process.cmdline()
    except psutil.NoSuchProcess:
        return False
