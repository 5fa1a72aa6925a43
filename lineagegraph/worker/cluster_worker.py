"""The process of one cluster of a run: `python -m lineagegraph.worker.cluster_worker RUN`."""

import os
import sys
from functools import partial
from typing import BinaryIO

from lineagegraph.authoring.variables import offering
from lineagegraph.code.load import KeptFunctions
from lineagegraph.execution.clusters.messages import ClusterStart
from lineagegraph.execution.clusters.serve import request_of, serve
from lineagegraph.liveness.signals import call_when_orphaned
from lineagegraph.model.typed import decode_json
from lineagegraph.process_environment.handover import receive_settings
from lineagegraph.process_environment.modules import search_folder
from lineagegraph.spark.archived_code import ship_by_value
from lineagegraph.store.connect import open_graph
from lineagegraph.store.pipelines import task_codes
from lineagegraph.worker.own_sessions import open_sessions
from lineagegraph.worker.run_expander import ExpandedFunctions, code_reader
from lineagegraph.worker.run_variables import RunVariables


def main() -> None:
    """Serve the worker that started this process, and end with it."""
    answers = _take_output()
    search_folder()
    call_when_orphaned(lambda: os._exit(1))
    orders = sys.stdin.buffer
    begin = decode_json(orders.readline(), into=ClusterStart)
    settings, request = receive_settings(), request_of(begin)
    with open_graph(settings) as graph, offering(RunVariables(graph, begin.run_id)):
        stored = graph.write(task_codes.claim_task_code, id=begin.run_id)
        functions = KeptFunctions(request.code, stored, ship_by_value)
        load = ExpandedFunctions(code_reader(graph), functions, request.code, begin.expansions)
        sessions = partial(open_sessions, request.code, request.java_home, settings)
        serve(begin, orders, answers, sessions, load)
    # Threads that the user's code left behind must not keep the process.
    os._exit(0)


def _take_output() -> BinaryIO:
    """Keep stdout for messages to the worker, and send other output to stderr."""
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    return answers


if __name__ == "__main__":
    main()
