"""Give Spark's Python workers the code of this process, not the project's files of now."""

import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from types import ModuleType

from pyspark import cloudpickle


def ship_by_value(modules: Iterable[ModuleType]) -> None:
    """Let functions and classes of modules go to Spark by value: no worker can import them."""
    for module in modules:
        cloudpickle.register_pickle_by_value(module)  # type: ignore[no-untyped-call]


def archived_code_conf(conf: Mapping[str, str], code: Path) -> dict[str, str]:
    """Return a configuration by which local Python workers import from a folder of code.

    They are started in the project's folder, which comes last in their path.
    """
    if not conf.get("spark.master", "local[*]").startswith("local"):
        return dict(conf)
    found = {
        "spark.executorEnv.PYTHONPATH": os.pathsep.join([str(code), str(Path.cwd())]),
        "spark.executorEnv.PYTHONSAFEPATH": "1",
    }
    return found | dict(conf)
