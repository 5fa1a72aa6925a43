"""Command lines for spark-submit."""

import sys
from pathlib import Path

from lineagegraph.spark.submit import submit_command, submit_environment


def test_a_jar_has_its_main_class_and_its_arguments_last():
    submit, *rest = submit_command(
        "etl.jar", "org.example.Main", ["--day", "3"], {"spark.master": "yarn", "spark.x": "a b"}
    )
    assert Path(submit).name == "spark-submit"
    assert Path(submit).is_file()
    assert rest == [
        *("--master", "yarn", "--class", "org.example.Main"),
        *("--conf", "spark.submit.deployMode=client", "--conf", "spark.x=a b"),
        *("etl.jar", "--day", "3"),
    ]


def test_a_python_file_runs_locally_unless_a_master_is_named():
    mode = ["--conf", "spark.submit.deployMode=client"]
    assert submit_command("job.py", None, [], {})[1:] == ["--master", "local[*]", *mode, "job.py"]


def test_the_environment_has_this_python_and_the_java_that_is_given(monkeypatch):
    monkeypatch.delenv("PYSPARK_PYTHON", raising=False)
    environment = submit_environment({}, Path("/opt/java"))
    assert environment["PYSPARK_PYTHON"] == sys.executable
    assert environment["JAVA_HOME"] == "/opt/java"
    assert "SPARK_SUBMIT_OPTS" not in environment
    assert (Path(environment["SPARK_HOME"]) / "jars").is_dir()


def test_a_driver_on_a_cluster_has_the_python_of_the_cluster():
    conf = {"spark.master": "yarn", "spark.submit.deployMode": "cluster"}
    assert "PYSPARK_PYTHON" not in submit_environment(conf)
