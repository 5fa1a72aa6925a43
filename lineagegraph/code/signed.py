"""Sign the functions of tasks, with the key of this installation."""

from msgspec.structs import replace

from lineagegraph.model.pipelines.task_code import TASK_CODE, TaskCode
from lineagegraph.signing import sign


def signed(code: TaskCode) -> TaskCode:
    """Return code with its signature, without which no worker loads it."""
    return replace(code, signature=sign(TASK_CODE, code.signed))
