"""The shipped notebooks with what they show: `python -m docs.make_notebooks FOLDER`.

Each `notebooks/*.py` (jupytext's percent format) becomes a notebook beside it, run in order on what
`lineagegraph demo --folder FOLDER` left in the graph that the settings name.
"""

import sys
from pathlib import Path

import jupytext
import nbformat
from nbclient import NotebookClient
from rich.progress import track

NOTEBOOKS = Path(__file__).parents[1] / "notebooks"
_WIDGETS = "application/vnd.jupyter.widget-view+json"
_KERNEL = {"name": "python3", "display_name": "Python 3", "language": "python"}


def list_sources() -> list[Path]:
    """Return the notebooks' sources in their order."""
    return sorted(NOTEBOOKS.glob("[0-9]*.py"))


def read_source(path: Path) -> nbformat.NotebookNode:
    """Return a notebook as its source has it, with cells that have the same ids each time."""
    notebook = jupytext.read(path)
    notebook.metadata = nbformat.from_dict({"kernelspec": _KERNEL})
    for number, cell in enumerate(notebook.cells):
        cell.id = f"cell-{number}"
        if cell.source.startswith("%%"):
            cell.source = cell.source.replace("\n# ", "\n")  # not Python: the source has comments
    return notebook


def execute(notebook: nbformat.NotebookNode, folder: Path) -> nbformat.NotebookNode:
    """Run all cells in a folder; raises `CellExecutionError` with the one that failed."""
    client = NotebookClient(
        notebook,
        timeout=300,
        kernel_name="python3",
        store_widget_state=False,
        resources={"metadata": {"path": str(folder)}},
    )
    client.execute()
    return notebook


def for_readers(notebook: nbformat.NotebookNode) -> nbformat.NotebookNode:
    """Return a notebook without widgets, whose kernel is gone, and without Spark's log."""
    for cell in notebook.cells:
        cell.metadata.pop("execution", None)
        if "outputs" in cell:
            cell.outputs = [out for out in cell.outputs if out.get("name") != "stderr"]
            for output in cell.outputs:
                output.get("data", {}).pop(_WIDGETS, None)
    return notebook


def main() -> None:
    """Make all of them."""
    folder = Path(sys.argv[1])
    for path in track(list_sources(), "running the notebooks"):
        made = for_readers(execute(read_source(path), folder))
        nbformat.write(made, path.with_suffix(".ipynb"))


if __name__ == "__main__":
    main()
