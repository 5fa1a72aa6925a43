"""Batches: in JSON and in Python they are the same."""

from pathlib import Path

import pytest

from lineagegraph.errors import DefinitionError
from lineagegraph.model.freshness.terms import (
    TODAY,
    Counts,
    Dependency,
    Freshness,
    WhenNewer,
    WhenSkipped,
)
from lineagegraph.model.pipelines.definition import Cluster, PythonTask, SqlTask
from lineagegraph.reading.definition_files import find_definitions
from lineagegraph.reading.parser import parse
from tests.unit.definitions import batches
from tests.unit.definitions.batches import DO, batch
from tests.unit.definitions.conftest import ReadFile, Write

SAMPLE = """
{"batch": "kpi_daily", "concurrency": 4, "spark": {"master": "local[2]", "conf": {"spark.ui.enabled": false}},
 "schedule": {"cron": "0 2 * * *", "zone": "Asia/Dubai"}, "params": {"day": {"type": "date"}, "limit": 10},
 "partitionBy": "day", "clusters": {"emr": {"master": "yarn", "create": ["make"], "destroy": "etl.drivers:remove"}},
 "tasks": {
   "rides":   {"sql": {"file": "rides.sql"}, "target": "gold.rides", "mode": "overwrite"},
   "drivers": {"callable": "etl.drivers:build", "freshnessCriteriaInHours": 24, "cluster": "emr"},
   "kpi":     {"notebook": "kpi.ipynb", "params": {"day": "{day}", "top": 3}, "retries": 2, "dependencies": ["rides"],
               "dependenciesWithMeta": {"drivers": {"freshnessCriteriaInHours": 168},
                                        "finance.fx": {"freshnessCriteriaInHours": 24, "whenSkipped": "ignore"}}},
   "legacy":  {"spark_submit": {"jar": "legacy.jar", "main": "org.example.Main", "args": []}}}}
"""  # noqa: E501
TWIN = """
from pathlib import Path
from datetime import date
from etl.drivers import build, remove

rides = lg.sql("rides", Path("rides.sql"), target="gold.rides")
drivers = lg.task(build, name="drivers", freshness=lg.freshness("24h"), cluster="emr")
own = {"day": "{day}", "top": 3}
kpi = lg.notebook_task("kpi", "kpi.ipynb", params=own, retries=2, after=rides, dependencies=[
    lg.depends(drivers, max_age="168h"),
    lg.depends("finance.fx", max_age="1d", when_skipped="ignore"),
])
legacy = lg.spark_submit("legacy", "legacy.jar", main="org.example.Main")
lg.batch("kpi_daily", tasks=[legacy, kpi, drivers, rides], schedule="0 2 * * *", zone=None,
         params={"limit": 10, "day": lg.param(date)}, partition_by="day",
         spark={"spark.master": "local[2]", "spark.ui.enabled": False},
         clusters=[lg.cluster("emr", master="yarn", create=["make"], destroy=remove)])
""".replace('schedule="0 2 * * *", zone=None', 'trigger=on.cron("0 2 * * *", zone="Asia/Dubai")')


@pytest.fixture
def project(root: Path, write: Write) -> Path:
    """What the sample needs."""
    write("etl/drivers.py", "def build(spark, limit: int): ...\ndef remove(settings): ...\n")
    for name in ("rides.sql", "kpi.ipynb", "legacy.jar"):
        (root / name).write_text("SELECT 1")
    (root / "kpi.json").write_text(SAMPLE)
    return root


def test_a_batch_in_json_is_the_same_as_in_python(project: Path, write: Write) -> None:
    (stated,) = parse(project / "kpi.json", project, 20.0)
    (twin,) = parse(write("twin.py", TWIN), project, 20.0)
    assert stated.version.structure_hash == twin.version.structure_hash
    assert stated.version.pipeline.batch


def test_a_notebooks_own_parameters_name_those_of_its_batch(project: Path) -> None:
    (project / "kpi.json").write_text(SAMPLE.replace('"{day}"', '["{dya}"]'))
    with pytest.raises(DefinitionError, match=r"task kpi: \{dya\} is not a parameter"):
        parse(project / "kpi.json", project, 20.0)


def test_a_batch_file_is_kept_with_all_that_it_names(project: Path) -> None:
    (stated,) = parse(project / "kpi.json", project, 20.0)
    needs = {"etl/drivers.py", "rides.sql", "kpi.ipynb", "legacy.jar", "kpi.json"}
    assert needs <= set(stated.source.files)
    assert stated.version.file == "kpi.json"
    work = {task.name: task.work for task in stated.version.pipeline.tasks}
    assert work["rides"] == SqlTask(sql="SELECT 1", target="gold.rides")
    assert work["drivers"] == PythonTask(
        module="etl.drivers", qualname="build", arguments=("spark", "limit")
    )


def test_a_function_that_a_batch_file_names_is_kept_by_value(project: Path) -> None:
    (stated,) = parse(project / "kpi.json", project, 20.0)
    assert stated.code is not None


def test_each_task_and_parent_has_terms_which_are_todays_unless_stated(tmp_path: Path) -> None:
    found = batches.read(
        tmp_path,
        batch(
            {
                "a": {**DO, "freshnessCriteriaInHours": 0},
                "b": {**DO, "dependencies": ["daily.a"], "since": "hour"},
                "c": {**DO, "dependenciesWithMeta": {"a": {"freshnessCriteriaInHours": 1.5}}},
                "d": {**DO, "dependencies": ["a"], "dependenciesWithMeta": {"a": {"zone": "UTC"}}},
            }
        ),
    )
    a, b, c, d = found.tasks
    assert a.freshness == Freshness(max_age=0.0)
    assert b.freshness == Freshness(since="hour")
    assert b.dependencies == (Dependency(job="a"),)
    assert c.freshness == TODAY
    assert c.dependencies[0].freshness == Freshness(max_age=5400.0)
    assert d.dependencies == (Dependency(job="a", freshness=Freshness(since="day", zone="UTC")),)
    assert [one.after for one in found.tasks] == [(), ("a",), ("a",), ("a",)]


def test_terms_of_the_batch_are_those_of_tasks_that_have_none(tmp_path: Path) -> None:
    found = batches.read(
        tmp_path,
        batch(
            {"a": DO, "b": {**DO, "freshness": {"maxAge": "1h"}, "dependencies": ["a"]}},
            freshness={"since": "0 6 * * *"},
            zone="Asia/Dubai",
            schedule="0 7 * * *",
        ),
    )
    a, b = found.tasks
    assert a.freshness == Freshness(since="0 6 * * *", zone="Asia/Dubai")
    assert b.freshness == Freshness(max_age=3600.0)
    assert b.dependencies[0].freshness == Freshness(since="day", zone="Asia/Dubai")
    assert found.triggers[0].when.zone == "Asia/Dubai"


def test_an_edge_says_all_that_a_dependency_has(tmp_path: Path) -> None:
    said = {
        "maxAge": "36h",
        "since": "day",
        "zone": "Asia/Dubai",
        "counts": "dataEnd",
        "partition": "any",
        "unchanged": True,
        "whenSkipped": "skipChild",
        "whenNewer": "rerun",
        "external": True,
        "recheck": "10s",
        "wait": "2h",
        "namespace": "airflow",
    }
    found = batches.read(tmp_path, batch({"a": {**DO, "dependenciesWithMeta": {"fx": said}}}))
    terms = Freshness(
        max_age=129600.0,
        since="day",
        zone="Asia/Dubai",
        counts=Counts.DATA_END,
        any_partition=True,
        unchanged=True,
    )
    assert found.tasks[0].dependencies == (
        Dependency(
            job="fx",
            namespace="airflow",
            freshness=terms,
            when_skipped=WhenSkipped.SKIP_CHILD,
            when_newer=WhenNewer.RERUN,
            external=True,
            recheck=10.0,
            wait=7200.0,
        ),
    )
    assert found.tasks[0].after == ()


def test_keys_may_be_written_with_underscores(tmp_path: Path) -> None:
    tasks = {"a": {**DO, "retry_delay": "5s", "freshness_criteria_in_hours": 2}}
    found = batches.read(tmp_path, batch(tasks, start_date="2026-01-01"))
    assert found.tasks[0].retry_delay == 5.0
    assert found.tasks[0].freshness == Freshness(max_age=7200.0)
    assert found.start_date is not None


def test_tasks_may_be_a_list(tmp_path: Path) -> None:
    one = batches.read(tmp_path, batch([{"id": "a", **DO}]))
    assert one == batches.read(tmp_path, batch({"a": DO}))


def test_a_batch_has_its_own_cluster_and_named_ones(tmp_path: Path) -> None:
    own = {"create": ["up"], "destroy": ["down"], "conf": {"spark.executor.instances": 4}}
    found = batches.read(tmp_path, batch(cluster=own, clusters={"big": {"master": "yarn"}}))
    assert found.clusters == (
        Cluster(
            name="", spark={"spark.executor.instances": "4"}, create=("up",), destroy=("down",)
        ),
        Cluster(name="big", spark={"spark.master": "yarn"}),
    )


def test_schedules_and_triggers_of_a_batch_may_be_several(tmp_path: Path) -> None:
    found = batches.read(
        tmp_path,
        batch(
            schedule=[
                "0 2 * * *",
                {"every": "1h", "overlap": "skip", "catchUp": "none", "name": "hourly"},
            ],
            trigger=[{"on": "event", "name": "go"}, {"when": {"on": "event", "name": "now"}}],
        ),
    )
    assert len(found.triggers) == 4
    assert found.triggers[1].name == "hourly"


@pytest.mark.parametrize(
    ("text", "is_ours"),
    [
        ('{"batch": "a", "tasks": {}}', True),
        ('{"batch": "a"}', True),
        ('{"tasks": {}, "batch": 1}', True),
        ('{"batch": "a", "tasks": {', True),
        ('{"tasks": {,}, "batch": "a"}', True),
        ('{"batch": 1}', False),
        ('{"a": {"batch": "a", "tasks": {}}}', False),
        ('[{"batch": "a", "tasks": {}}]', False),
        ('{"nothing": [', False),
        ("", False),
    ],
)
def test_json_that_has_a_batch_at_its_top_is_a_definition(
    tmp_path: Path, text: str, is_ours: bool
) -> None:
    file = tmp_path / "x.json"
    file.write_text(text)
    assert find_definitions(tmp_path) == ([file] if is_ours else [])


def test_freshness_outside_a_batch_is_refused(read: ReadFile) -> None:
    with pytest.raises(DefinitionError, match="task a: freshness is for the tasks of a batch"):
        read(
            'a = lg.command("a", ["true"], freshness=lg.freshness("1h"))\n'
            'lg.pipeline("p", tasks=[a])\n'
        )


def test_the_sample_of_the_article_is_read(tmp_path: Path) -> None:
    hours = {"Task_1": 24, "Task_2": 168, "Task_3": 96, "Task_4": 72}
    said = {name: {"freshnessCriteriaInHours": one} for name, one in hours.items()}
    found = batches.read(tmp_path, batch({"a": {**DO, "dependenciesWithMeta": said}}))
    terms = {one.job: one.freshness.max_age for one in found.tasks[0].dependencies}
    assert terms == {name: one * 3600.0 for name, one in hours.items()}
