"""Call a function that creates or removes a cluster, and print its result as the last line.

`python -m lineagegraph.execution.clusters.hook_program module:function`
"""

import json
import os
import sys
from importlib import import_module
from operator import attrgetter

ASKED = "LINEAGEGRAPH_CLUSTER_JSON"


def main(name: str) -> None:
    """Call the function with the request, a map."""
    module, _, function = name.partition(":")
    answer = attrgetter(function)(import_module(module))(json.loads(os.environ[ASKED]))
    print(json.dumps(answer if answer is not None else {}), flush=True)


if __name__ == "__main__":
    main(sys.argv[1])
