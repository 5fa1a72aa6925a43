"""Drivers on Kubernetes: Spark's own client against an API that runs no pods, and the manifests.

No real cluster is at hand. What Spark asks for, with which rights, and what it prints is real.
"""

import json
import os
import subprocess
import sys
from contextlib import nullcontext
from io import StringIO
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
import yaml

from lineagegraph.execution.emit import Emitted
from lineagegraph.execution.kinds.spark_submission import submission
from lineagegraph.execution.kinds.submit_work import SubmitWork
from lineagegraph.execution.kinds.work import CommandFailed
from lineagegraph.execution.plan import plan
from lineagegraph.execution.request import ReportTarget, RunRequest
from lineagegraph.model.pipelines.definition import (
    Pipeline,
    PipelineVersion,
    SparkSubmitTask,
    Task,
)
from lineagegraph.model.runs.ids import new_id
from lineagegraph.process_environment.drivers import DriverFile
from tests.acceptance.clusters.kubernetes_api import Asked, KubernetesApi, kubernetes_api
from tests.acceptance.processes import until
from tests.acceptance.producers.spark_submit import LISTENER

MANIFESTS = Path(__file__).parents[3] / "deploy" / "kubernetes"
REPORT = ReportTarget("http://lineagegraph.lineage.svc:8642", "lgr_secret")


def manifests(*names: str) -> list[dict[str, Any]]:
    """Return the objects of files; of all that are applied, if none is named."""
    files = names or tuple(read("kustomization.yaml")[0]["resources"])
    return [each for name in files for each in read(name)]


def read(name: str) -> list[dict[str, Any]]:
    return list(yaml.safe_load_all((MANIFESTS / name).read_text()))


def named(kind: str, name: str) -> dict[str, Any]:
    found = [each for each in manifests() if each["kind"] == kind]
    (one,) = [each for each in found if each["metadata"]["name"] == name]
    return one


def work_on(
    api: KubernetesApi, folder: Path, log: StringIO, template: str = "driver.yaml"
) -> SubmitWork:
    """Return the work that submits a jar with the templates of pods."""
    conf = LISTENER | {
        "spark.master": f"k8s://{api.url}",
        "spark.submit.deployMode": "cluster",
        "spark.kubernetes.namespace": "spark",
        "spark.kubernetes.container.image": "apache/spark:4.2.1",
        "spark.kubernetes.authenticate.driver.serviceAccountName": "spark",
        "spark.kubernetes.driver.podTemplateFile": str(MANIFESTS / template),
        "spark.kubernetes.executor.podTemplateFile": str(MANIFESTS / "executor.yaml"),
    }
    own = SparkSubmitTask(file="local:///job.jar", main="Job", conf=conf)
    pipeline = Pipeline(namespace="shop", name="p", tasks=(Task(name="s", work=own),))
    hashes = {"hash": "v1", "structure_hash": "s1", "code_hash": "c1", "source_sha256": "0" * 64}
    version = PipelineVersion(pipeline=pipeline, file="p.py", root=".", **hashes)
    request = RunRequest(new_id(), version, {}, folder, folder, report=REPORT)
    (step,) = plan(request).children
    asked = submission(step, own, request, {})
    assert asked.cluster is not None
    file = DriverFile(folder, step.run_id)
    return SubmitWork(asked, asked.cluster, asked.environment | PATHS, file, log, Emitted())


PATHS = {name: os.environ[name] for name in ("PATH", "HOME")}


@pytest.mark.soak
def test_a_driver_completes_its_task_only_if_its_pod_succeeds(tmp_path: Path) -> None:
    for end in ("Succeeded", "Failed"):
        log = StringIO()
        with kubernetes_api(end) as api:
            api.ends.set()
            work = work_on(api, tmp_path, log)
            failure = r"driver spark:lineagegraph-\w+ ended as Failed"
            is_failed = pytest.raises(CommandFailed, match=failure)
            with nullcontext() if end == "Succeeded" else is_failed:
                work.run()
        assert not list(tmp_path.rglob("drivers/*.json")), log.getvalue()
        (container,) = api.pod["spec"]["containers"]
        variables = {each["name"]: each.get("value") for each in container["env"]}
        assert variables["LINEAGEGRAPH_TOKEN"] == REPORT.token
        assert api.pod["spec"]["serviceAccountName"] == "spark"
        assert api.pod["spec"]["securityContext"]["runAsNonRoot"]
        settings = json.dumps(api.objects)
        assert f"spark.openlineage.transport.auth.apiKey={REPORT.token}" in settings
        assert_allowed(api.asked)


@pytest.mark.soak
def test_a_cancelled_task_deletes_the_pod_of_its_driver(tmp_path: Path) -> None:
    log, ended = StringIO(), list[BaseException]()
    with kubernetes_api("Failed") as api:
        work = work_on(api, tmp_path, log)
        thread = Thread(target=_run, args=(work, ended))
        thread.start()
        until(lambda: any(each.verb == "watch" for each in api.asked), 120)

        def returned(seconds: float) -> bool:
            thread.join(seconds)
            return not thread.is_alive()

        work.stop(returned, 10)
        thread.join(120)
        assert ended, log.getvalue()
        assert [path.partition("?")[0].rsplit("/", 2)[1] for path in api.deleted] == ["pods"]
        assert_allowed(api.asked)


@pytest.mark.soak
def test_a_driver_that_spark_submit_lost_at_once_is_killed(tmp_path: Path) -> None:
    with kubernetes_api("Failed") as api:
        api.watches = 403
        with pytest.raises(CommandFailed, match="exited with 1"):
            work_on(api, tmp_path, StringIO()).run()
    assert any(api.pod["metadata"]["name"] in path for path in api.deleted)


@pytest.mark.soak
def test_a_driver_that_was_never_there_needs_no_kill(tmp_path: Path) -> None:
    with kubernetes_api("Failed") as api:
        with pytest.raises(CommandFailed, match="exited with 1"):
            work_on(api, tmp_path, StringIO(), "absent.yaml").run()
        assert not api.objects
    assert not list(tmp_path.rglob("drivers/*.json"))


def _run(work: SubmitWork, ended: list[BaseException]) -> None:
    try:
        work.run()
    except BaseException as error:
        ended.append(error)


def assert_allowed(asked: set[Asked]) -> None:
    """Assert that the role of the manifests allows all that Spark asked for."""
    rights = {
        Asked(group, resource, verb)
        for rule in named("Role", "spark-programs")["rules"]
        for group in rule["apiGroups"]
        for resource in rule["resources"]
        for verb in rule["verbs"]
    }
    assert asked
    assert asked <= rights, asked - rights


@pytest.mark.soak
def test_the_manifests_follow_the_schemas_of_kubernetes() -> None:
    names = [*read("kustomization.yaml")[0]["resources"], "driver.yaml", "executor.yaml"]
    tool = [sys.executable, "-m", "uv", "--quiet", "tool", "run", "--from"]
    words = ["kubernetes-validate==1.37.0", "kubernetes-validate", "--strict", *names]
    done = subprocess.run(
        [*tool, *words], cwd=MANIFESTS, check=False, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert (done.stdout + done.stderr).count(" passed for resource ") == 15


def test_the_manifests_fit_each_other() -> None:
    kinds = {(each["kind"], each["metadata"]["name"]) for each in manifests()}
    (subject, driver) = named("RoleBinding", "spark-programs")["subjects"]
    for each in (subject, driver):
        assert ("ServiceAccount", each["name"]) in kinds
    assert read("driver.yaml")[0]["spec"]["serviceAccountName"] == driver["name"]
    pod = named("Deployment", "lineagegraph")["spec"]["template"]["spec"]
    assert pod["serviceAccountName"] == subject["name"]
    (server,) = pod["containers"]
    host, _, port = named("ConfigMap", "lineagegraph")["data"][
        "LINEAGEGRAPH_REPORT_URL"
    ].rpartition(":")
    assert int(port) == server["ports"][0]["containerPort"]
    assert host == "http://lineagegraph.lineage.svc"
    assert ("Service", "lineagegraph") in kinds
    generated = read("kustomization.yaml")[0]["configMapGenerator"][0]
    volumes = {each["name"]: each for each in pod["volumes"]}
    assert volumes["pod-templates"]["configMap"]["name"] == generated["name"]
    assert all((MANIFESTS / name).is_file() for name in generated["files"])
