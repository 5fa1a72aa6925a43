"""One call of a function that a wait names, in a process of its own.

The function is that of the code with which the run was started; a wait that is no part of a
pipeline has it from the folder in which the sensor process works.
"""

import os
import sys
from inspect import signature
from pathlib import Path

from lineagegraph.authoring.task_functions import resolve
from lineagegraph.graph import Graph
from lineagegraph.model.typed import decode_json
from lineagegraph.private_files import TemporaryFolder
from lineagegraph.process_environment.handover import receive_settings
from lineagegraph.process_environment.modules import search_folder
from lineagegraph.project.archive import unpack
from lineagegraph.sensing.callbacks import Call
from lineagegraph.settings import Settings
from lineagegraph.store.connect import connect
from lineagegraph.store.pipelines.archives import read_source
from lineagegraph.store.sensors import sensor_views


def main() -> None:
    """Call the function."""
    settings = receive_settings()
    call = decode_json(sys.stdin.buffer.read(), into=Call)
    with TemporaryFolder() as folder:
        with connect(settings) as graph:
            enter_code(graph, settings, call.about.run_id, Path(folder))
        call_function(call)


def enter_code(graph: Graph, settings: Settings, run_id: str, folder: Path) -> None:
    """Let imports find the code of a run, unpacked into a folder, and work in its project."""
    search_folder()
    code = graph.read(sensor_views.get_code, run_id=run_id)
    if code is None:
        return
    unpack(read_source(graph, settings, code.sha256), folder)
    sys.path.insert(0, str(folder))
    if code.root and Path(code.root).is_dir():
        os.chdir(code.root)


def call_function(call: Call) -> None:
    """Call a function with the outcome of the wait, or without arguments if it takes none."""
    module, _, name = call.function.partition(":")
    function = resolve(module, name)
    function(*([call.about] if signature(function).parameters else []))


if __name__ == "__main__":
    main()
