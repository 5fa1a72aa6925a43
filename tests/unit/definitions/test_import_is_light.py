"""`import lineagegraph` in a definition file costs next to nothing."""

import json
import os
import subprocess
import sys
from pathlib import Path

PROGRAM = """
import json, sys
import lineagegraph as lg
from lineagegraph import on
lg.pipeline("p", tasks=[lg.command("a", ["true"])], trigger=on.success("q"))
print(json.dumps(sorted(sys.modules)))
"""
HEAVY = {"pyspark", "py4j", "neo4j", "pandas", "pydantic", "apscheduler", "starlette", "typer"}


def test_a_definition_imports_neither_spark_nor_neo4j():
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        env=os.environ | {"PYTHONPATH": str(Path(__file__).parents[3])},
        check=True,
        capture_output=True,
    )
    assert not HEAVY & set(json.loads(done.stdout))


def test_commands_and_workers_leave_to_a_process_of_its_own_what_only_notebooks_need():
    program = """if True:
        import json, sys
        import lineagegraph.cli, lineagegraph.daemon.worker
        print(json.dumps(sorted(sys.modules)))
    """
    done = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True)
    unneeded = {"nbformat", "nbclient", "jsonschema", "pandas", "numpy", "pyarrow", "IPython"}
    assert not unneeded & set(json.loads(done.stdout))


def test_every_public_name_is_there():
    import lineagegraph

    for name in lineagegraph.__all__:
        assert getattr(lineagegraph, name) is not None
    assert not hasattr(lineagegraph, "no_such_name")
