"""What a task hands to spark-submit, in each mode."""

import json
import sys
from base64 import b64decode
from dataclasses import replace
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

from lineagegraph.execution.emit import Emitted
from lineagegraph.execution.kinds.spark_submission import SparkSubmission, SubmitCommand, submission
from lineagegraph.execution.plan import plan
from lineagegraph.execution.request import ReportTarget, RunRequest
from lineagegraph.model.pipelines.definition import (
    Pipeline,
    PipelineVersion,
    SparkSubmitTask,
    Task,
)
from lineagegraph.model.runs.ids import new_id

YARN = {"spark.master": "yarn", "spark.submit.deployMode": "cluster"}
KUBERNETES = YARN | {"spark.master": "k8s://https://h:6443"}
LISTENER = {"spark.extraListeners": "io.openlineage.spark.agent.OpenLineageSparkListener"}
REPORT = ReportTarget("http://lineage:8642", "lgr_secret")

SHOW = """
import os, sys
word, file = sys.argv[1:3]
assert word == "--properties-file"
print(file, oct(os.stat(file).st_mode), open(file).read(), sep="\\n")
"""


def submit(
    file: str = "job.py",
    conf: dict[str, str] | None = None,
    report: ReportTarget | None = REPORT,
) -> SparkSubmission:
    """Return the submission of a file with one argument."""
    work = SparkSubmitTask(file=file, args=("x",), conf=conf or {})
    pipeline = Pipeline(namespace="shop", name="p", tasks=(Task(name="s", work=work),))
    hashes = {"hash": "v1", "structure_hash": "s1", "code_hash": "c1", "source_sha256": "0" * 64}
    version = PipelineVersion(pipeline=pipeline, file="p.py", root=".", **hashes)
    request = RunRequest(new_id(), version, {}, Path("/code"), Path("/logs"), report=report)
    (step,) = plan(request).children
    return submission(step, work, request, {})


def conf_of(asked: SparkSubmission) -> dict[str, str]:
    words = asked.command
    given = [words[i + 1] for i, word in enumerate(words) if word == "--conf"]
    return dict(word.split("=", 1) for word in given)


def test_a_python_file_goes_to_yarn_with_the_program_that_captures_it():
    asked = submit("hdfs:///jobs/job.py", YARN | {"spark.files": "a.txt"})
    program, *args = asked.command[-3:]
    assert (Path(program).name, args) == ("cluster_program.py", ["job.py", "x"])
    assert conf_of(asked)["spark.files"] == "a.txt,hdfs:///jobs/job.py"
    variable = "spark.yarn.appMasterEnv."
    secrets = dict(asked.secret_conf)
    context = secrets.pop(f"{variable}LINEAGEGRAPH_CAPTURE_TASK")
    assert json.loads(b64decode(context))["job"] == "p.s"
    assert secrets == {
        f"{variable}OPENLINEAGE_URL": REPORT.url,
        f"{variable}OPENLINEAGE_API_KEY": REPORT.token,
        f"{variable}LINEAGEGRAPH_TOKEN": REPORT.token,
    }


def test_a_file_that_is_on_each_node_is_not_sent_there():
    asked = submit("local:///opt/job.py", YARN)
    assert asked.command[-2:] == ["/opt/job.py", "x"]
    assert "spark.files" not in conf_of(asked)


@pytest.mark.parametrize(
    ("conf", "report"), [(KUBERNETES, REPORT), (YARN, None), (YARN | LISTENER, REPORT)]
)
def test_other_files_go_to_a_cluster_as_they_are(conf: dict[str, str], report: Any):
    asked = submit(conf=conf, report=report)
    assert asked.command[-2:] == ["job.py", "x"]
    assert not asked.is_captured


def test_the_listener_of_openlineage_reports_with_the_token_of_the_run():
    asked = submit("a.jar", LISTENER | {"spark.master": "spark://m:7077"})
    start = "spark.openlineage."
    assert asked.secret_conf == {
        f"{start}namespace": "shop",
        f"{start}transport.type": "http",
        f"{start}transport.url": REPORT.url,
        f"{start}transport.auth.type": "api_key",
        f"{start}transport.auth.apiKey": REPORT.token,
    }
    stated = submit("a.jar", LISTENER | {f"{start}transport.type": "console"})
    assert not stated.secret_conf
    assert not submit("a.jar", LISTENER, None).secret_conf


def test_no_token_is_among_the_words_of_a_process_and_its_file_does_not_stay(tmp_path, monkeypatch):
    asked = submit("a.jar", YARN | LISTENER)
    assert REPORT.token not in " ".join(asked.command)
    assert REPORT.token not in repr(asked)
    (tmp_path / "spark-defaults.conf").write_text("spark.stated.default 1")
    monkeypatch.setenv("SPARK_CONF_DIR", str(tmp_path))
    program = tmp_path / "submit"
    program.write_text(f"#!{sys.executable}\n{SHOW}")
    program.chmod(0o700)
    shown = replace(asked, command=[str(program)], secret_conf=asked.secret_conf | {"a": "b\\c"})
    log = StringIO()
    SubmitCommand(shown, {}, log, Emitted()).run()
    file, mode, defaults, *lines = log.getvalue().splitlines()
    assert (mode, defaults) == ("0o100600", "spark.stated.default 1")
    assert f"spark.openlineage.transport.auth.apiKey={REPORT.token}" in lines
    assert "a=b\\\\c" in lines
    assert not Path(file).exists()


def test_the_pod_of_a_driver_is_known_before_it_is_there():
    asked = submit("local:///a.jar", KUBERNETES | {"spark.kubernetes.namespace": "spark"})
    pod = conf_of(asked)["spark.kubernetes.driver.pod.name"]
    assert asked.cluster is not None
    assert asked.cluster.driver_id == f"spark:{pod}"
    again = submit("local:///a.jar", KUBERNETES)
    assert conf_of(again)["spark.kubernetes.driver.pod.name"] != pod
    stated = submit("a.jar", KUBERNETES | {"spark.kubernetes.driver.pod.name": "mine"})
    assert stated.cluster is not None
    assert stated.cluster.driver_id == "default:mine"
