"""The task of a program whose Spark work is captured, in a variable of its environment."""

import json
import os
from base64 import b64decode, b64encode
from dataclasses import asdict

from lineagegraph.spark.context import TaskContext

CAPTURE_TASK = "LINEAGEGRAPH_CAPTURE_TASK"
REPORT_URL = "OPENLINEAGE_URL"
REPORT_TOKEN = "LINEAGEGRAPH_TOKEN"


def context_variable(context: TaskContext) -> dict[str, str]:
    """Return the variable that names a program's task.

    YARN writes variables into a shell script as they are: names with quotes would run as code.
    """
    return {CAPTURE_TASK: b64encode(json.dumps(asdict(context)).encode()).decode()}


def read_context() -> TaskContext:
    """Return the task of this program."""
    return TaskContext(**json.loads(b64decode(os.environ[CAPTURE_TASK])))
