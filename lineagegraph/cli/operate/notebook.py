"""`notebook`: JupyterLab with the notebooks that come with lineagegraph."""

import os
import shutil
import sys
from pathlib import Path
from typing import Annotated

import nbformat
import typer
from jupyter_core.paths import jupyter_runtime_dir
from nbformat.sign import NotebookNotary

import lineagegraph
from lineagegraph.cli.console import errors
from lineagegraph.settings import load_settings, settings_environment
from lineagegraph.views.jupyter import note_jupyter


def notebook(
    folder: Annotated[
        Path | None, typer.Option(help="Notebook folder (default: in your home folder).")
    ] = None,
) -> None:
    """Open JupyterLab with the example notebooks."""
    settings = load_settings()
    target = copy_notebooks(folder or settings.home / "notebooks")
    errors.print(f"notebooks are in {target}")
    note_jupyter(settings, Path(jupyter_runtime_dir()))
    os.execve(
        sys.executable,
        [sys.executable, "-m", "jupyter", "lab", str(target)],
        os.environ | settings_environment(settings),
    )


def copy_notebooks(target: Path) -> Path:
    """Copy the notebooks as trusted ones, but never overwrite one, as it may have been edited."""
    inside = Path(lineagegraph.__file__).parent / "notebooks"
    source = inside if inside.is_dir() else inside.parents[1] / "notebooks"
    target.mkdir(parents=True, exist_ok=True)
    for path in source.glob("*.ipynb"):
        # JupyterLab draws what is signed; of others it shows the drawings' text only.
        made = nbformat.read(path, as_version=4)  # type: ignore[no-untyped-call]
        NotebookNotary().sign(made)  # type: ignore[no-untyped-call]
        if not (target / path.name).exists():
            shutil.copyfile(path, target / path.name)
    return target
