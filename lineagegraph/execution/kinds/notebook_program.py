"""The process of a notebook: `python -m lineagegraph.execution.kinds.notebook_program FILE`."""

import json
import os
import signal
import sys
from keyword import iskeyword
from pathlib import Path
from typing import Any, NamedTuple

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError, DeadKernelError
from nbformat.v4 import new_code_cell

from lineagegraph.errors import RunError
from lineagegraph.execution.kinds.notebook_variables import FAULT, OUTPUT, PARAMS
from lineagegraph.liveness.signals import call_when_orphaned
from lineagegraph.private_files import replace_private

_INJECTED = "injected-parameters"
_HIDDEN = "lineagegraph-hidden"
_ENTER = "import lineagegraph.execution.kinds.kernel_start as _lineagegraph; _lineagegraph.enter()"
_DEAD = "the kernel died"
_LEAVE = "_lineagegraph.leave({error!r})"


def main(file: str) -> int:
    """Run a notebook, write its result, and return the exit status."""
    try:
        notebook = _read(file)
        insert_parameters(notebook, json.loads(os.environ[PARAMS]))
    except RunError as error:
        return _report(str(error))
    failure = _run(notebook)
    notebook.cells = [cell for cell in notebook.cells if not _has_tag(cell, _HIDDEN)]
    unwritten = _write(notebook, Path(os.environ[OUTPUT]))
    if failure is None:
        return _report(unwritten) if unwritten else 0
    number = next((n for n, cell in enumerate(notebook.cells, 1) if cell is failure.cell), None)
    where = f"cell {number} of {Path(file).name}" if number else Path(file).name
    print(failure.trace)
    return _report(f"{where}: {failure.message}")


class _Failure(NamedTuple):
    """The cell that failed, why, and the text for the log."""

    cell: Any
    message: str
    trace: str


def insert_parameters(notebook: Any, params: dict[str, Any]) -> None:
    """Put a cell with the values behind the one tagged `parameters`, or before all others.

    A keyword of Python is no variable, so parameters of such names are left out.
    """
    if not params:
        return
    language = notebook.metadata.get("kernelspec", {}).get("language", "python")
    if language != "python":
        raise RunError(f"parameters need a Python notebook, and this one is in {language}")
    kept = [cell for cell in notebook.cells if not _has_tag(cell, _INJECTED)]
    lines = [f"{name} = {value!r}" for name, value in params.items() if not iskeyword(name)]
    cell = _cell("\n".join(["# Parameters", *lines]), _INJECTED)
    places = [number for number, each in enumerate(kept, 1) if _has_tag(each, "parameters")]
    kept.insert(places[0] if places else 0, cell)
    notebook.cells = kept


def _read(file: str) -> Any:
    try:
        return nbformat.read(file, as_version=4)  # type: ignore[no-untyped-call]
    except FileNotFoundError:
        raise RunError(f"notebook {file} does not exist") from None
    except Exception as error:
        raise RunError(f"notebook {file} cannot be read: {error}") from error


def _run(notebook: Any) -> _Failure | None:
    cells = list(notebook.cells)
    notebook.cells = [_cell(_ENTER, _HIDDEN), *cells, _cell("", _HIDDEN)]
    client = _TellingClient(notebook, timeout=None, kernel_name=_kernel(notebook))
    signal.signal(signal.SIGTERM, lambda *_: _give_up(client))
    call_when_orphaned(lambda: os.kill(os.getpid(), signal.SIGTERM))
    failure = error = None
    with client.setup_kernel():
        try:
            for number, cell in enumerate(notebook.cells[:-1]):
                client.execute_cell(cell, number)
        except CellExecutionError as failed:
            error = str(failed.evalue)
            failure = _Failure(cell, f"{failed.ename}: {failed.evalue}", str(failed))
        except DeadKernelError:
            return _Failure(cell, _DEAD, _DEAD)
        notebook.cells[-1].source = _LEAVE.format(error=error)
        incomplete = _leave(client, notebook.cells[-1], len(notebook.cells) - 1)
    return failure or incomplete


def _leave(client: NotebookClient, cell: Any, number: int) -> _Failure | None:
    """Execute the hidden last cell."""
    try:
        client.execute_cell(cell, number)
    except CellExecutionError as failed:
        return _Failure(cell, str(failed.evalue), str(failed.evalue))
    except DeadKernelError:
        return _Failure(cell, _DEAD, _DEAD)
    return None


def _write(notebook: Any, file: Path) -> str | None:
    """Keep the notebook with its output; return why the disk does not take it."""
    try:
        text = nbformat.writes(notebook)  # type: ignore[no-untyped-call]
        replace_private(file, f"{text}\n".encode(errors="backslashreplace"))
    except OSError as error:
        return f"{error.filename}: {error.strerror}"
    return None


class _TellingClient(NotebookClient):
    def output(self, outs: Any, msg: Any, display_id: str | None, cell_index: int) -> Any:
        """Keep a cell's output; printed text goes into the log, too."""
        if msg["msg_type"] == "stream":
            print(msg["content"]["text"], end="", flush=True)
        return super().output(outs, msg, display_id, cell_index)


def _give_up(client: NotebookClient) -> None:
    client.shutdown_kernel = "immediate"
    raise SystemExit(143)


def _kernel(notebook: Any) -> str:
    """Return the kernel's name; Python's is the one of this process."""
    spec = notebook.metadata.get("kernelspec", {})
    return str(spec["name"]) if spec.get("language", "python") != "python" else "python3"


def _cell(source: str, tag: str) -> Any:
    return new_code_cell(source, metadata={"tags": [tag]})  # type: ignore[no-untyped-call]


def _has_tag(cell: Any, tag: str) -> bool:
    return tag in cell.metadata.get("tags", ())


def _report(fault: str) -> int:
    try:
        Path(os.environ[FAULT]).write_text(fault, "utf-8", "backslashreplace")
    except OSError:
        print(fault)
    return 1


if __name__ == "__main__":
    # Logs are UTF-8, whatever the language of the system.
    sys.stdout.reconfigure(encoding="utf-8", errors="backslashreplace")  # type: ignore[union-attr]
    sys.exit(main(sys.argv[1]))
