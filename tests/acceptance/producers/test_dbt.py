"""What `dbt-ol` sends of a dbt project on DuckDB: two models and a test."""

import os
import shutil
import subprocess
from pathlib import Path

from lineagegraph.graph import Graph
from tests.acceptance.producers import truth
from tests.acceptance.producers.environments import HERE, programs_of
from tests.acceptance.producers.test_client import DAG, TASK

RUN = "shop.load.dbt-run-shop"


def build(endpoint: str, folder: Path, *options: str) -> None:
    """Run `dbt-ol build` as a task of a scheduler does."""
    project = shutil.copytree(HERE / "dbt", folder / "project")
    programs = programs_of("dbt")
    done = subprocess.run(
        [str(programs / "dbt-ol"), "build", *options],
        cwd=project,
        env=os.environ
        | {
            "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}",
            "DBT_PROFILES_DIR": str(project),
            "DBT_SEND_ANONYMOUS_USAGE_STATS": "false",
            "OPENLINEAGE_URL": endpoint,
            "OPENLINEAGE_NAMESPACE": "dbt",
            "OPENLINEAGE_PARENT_ID": f"scheduler/shop.load/{TASK}",
            "OPENLINEAGE_ROOT_PARENT_ID": f"scheduler/shop/{DAG}",
        },
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_models_and_tests_are_children_of_the_dbt_run_of_the_task(
    endpoint: str, graph: Graph, tmp_path: Path
) -> None:
    build(endpoint, tmp_path)
    orders, totals = (f"{RUN}.shop.main.shop.{model}.build.run" for model in ("orders", "totals"))
    test = f"{RUN}.shop.main.shop.orders.build.test"
    states = {name: (namespace, last) for name, (namespace, _, last) in truth.jobs(graph).items()}
    assert states == {
        "shop": ("scheduler", "PENDING"),
        "shop.load": ("scheduler", "PENDING"),
        RUN: ("scheduler", "COMPLETED"),  # dbt-ol takes its parent's namespace for its run
        **dict.fromkeys((orders, totals, test), ("dbt", "COMPLETED")),
    }
    assert truth.parents(graph) == {
        "shop": [],
        "shop.load": ["shop"],
        RUN: ["shop.load"],
        **{job: [RUN] for job in (orders, totals, test)},
    }
    assert truth.flows(graph) == {
        f"{orders} > shop.main.orders",
        f"shop.main.orders > {totals}",
        f"shop.main.orders > {test}",
        f"{totals} > shop.main.totals",
    }
    assert truth.columns(graph) == {
        "shop.main.orders.region > shop.main.totals.region",
        "shop.main.orders.amount > shop.main.totals.total",
    }


def test_statements_are_children_of_their_model_when_dbt_tells_while_it_runs(
    endpoint: str, graph: Graph, tmp_path: Path
) -> None:
    build(endpoint, tmp_path, "--consume-structured-logs")
    found = truth.parents(graph)
    models = [f"{RUN}.model.shop.orders", f"{RUN}.model.shop.totals"]
    assert [found[model] for model in models] == [[RUN], [RUN]]
    statements = {job: above for job, above in found.items() if ".sql." in job}
    assert len(statements) > len(models)
    assert statements == {job: [job.rpartition(".sql.")[0]] for job in statements}
    assert {state for _, _, state in truth.jobs(graph).values()} == {"PENDING", "COMPLETED"}
    assert truth.flows(graph) >= {f"shop.main.orders > {models[1]}"}
