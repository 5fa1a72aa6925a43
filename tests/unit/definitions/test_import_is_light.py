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
    unneeded = {"nbformat", "nbclient", "jsonschema", "pandas", "numpy", "pyarrow", "IPython"}
    commands = ("run.run", "run.sync", "show.show", "operate.up", "operate.stay")
    places = ", ".join(f"lineagegraph.cli.{one}" for one in commands)
    assert not unneeded & _imported_by(f"{places}, lineagegraph.worker.worker")


def test_a_command_imports_no_other_command_s_needs():
    assert not (HEAVY - {"typer"} | {"structlog", "rich.console"}) & _imported_by(
        "lineagegraph.cli.program"
    )
    assert not {"pyspark", "starlette", "apscheduler"} & _imported_by("lineagegraph.cli.run.sync")


def test_a_question_to_the_graph_starts_neither_spark_nor_the_daemon():
    unneeded = {"pyspark", "sqlglot", "networkx", "apscheduler", "starlette", "uvicorn"}
    commands = ("operate.status", "operate.down", "show.show", "show.runs", "run.run", "run.mark")
    places = ", ".join(f"lineagegraph.cli.{one}" for one in (*commands, "operate.up"))
    assert not unneeded & _imported_by(places)


def test_a_worker_parses_sql_of_databases_only_where_it_meets_any():
    assert "sqlglot" not in _imported_by("lineagegraph.worker.worker")


def test_the_process_beside_each_worker_is_small():
    assert not (HEAVY | {"structlog", "rich"}) & _imported_by("lineagegraph.worker.guardian")


def _imported_by(modules):
    program = f"import json, sys, {modules}; print(json.dumps(sorted(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True)
    return set(json.loads(done.stdout))


def test_every_public_name_is_there():
    import lineagegraph

    for name in lineagegraph.__all__:
        assert getattr(lineagegraph, name) is not None
    assert not hasattr(lineagegraph, "no_such_name")
