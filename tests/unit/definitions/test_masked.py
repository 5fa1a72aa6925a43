"""Pipelines are masked for the graph, and restored for the process of a run."""

import msgspec
import pytest

from lineagegraph.code.hashing import structure_hash
from lineagegraph.errors import RunError
from lineagegraph.model.pipelines.definition import (
    Cluster,
    CommandTask,
    GroupTask,
    Parameter,
    Pipeline,
    PipelineTask,
    SparkSubmitTask,
    SqlTask,
    Task,
)
from lineagegraph.model.pipelines.masked import mask_pipeline, restore_pipeline

KEY = "c4nary"


def whole(secret: str = KEY) -> Pipeline:
    url = f"jdbc:postgresql://u:{secret}@h/db"
    load = CommandTask(
        command=("load", "--password", secret, url), environment={"API_KEY": secret, "REGION": "eu"}
    )
    submit = SparkSubmitTask(file="a.py", args=(url,), conf={"spark.x.token": secret})
    query = SqlTask(sql=f"CREATE TABLE t OPTIONS (url '{url}', password '{secret}')")
    inner = Pipeline(
        name="inner",
        namespace="n",
        tasks=(Task(name="query", work=query),),
        spark={"spark.y.password": secret},
    )
    tasks = (
        Task(name="load", work=load),
        Task(name="group", work=GroupTask(tasks=(Task(name="submit", work=submit),))),
        Task(name="inner", work=PipelineTask(pipeline=inner, params={"url": url})),
    )
    return Pipeline(
        name="p",
        namespace="n",
        tasks=tasks,
        parameters=(Parameter(name="day", type="str", default="x"),),
        spark={"spark.hadoop.fs.s3a.secret.key": secret, "spark.master": "local[1]"},
        clusters=(Cluster(name="big", spark={"spark.z.secret": secret}, create=("make", url)),),
    )


def test_a_masked_pipeline_has_no_secret_and_is_restored_whole():
    masked, values = mask_pipeline(whole())
    assert KEY not in msgspec.json.encode(masked).decode()
    assert masked.tasks[0].work.environment == {"API_KEY": "***", "REGION": "eu"}
    assert masked.tasks[0].work.command == (
        "load",
        "--password",
        "***",
        "jdbc:postgresql://***@h/db",
    )
    kept = msgspec.json.decode(msgspec.json.encode(values))
    read = msgspec.json.decode(msgspec.json.encode(masked), type=Pipeline)
    assert restore_pipeline(read, kept) == whole()


def test_a_new_secret_changes_no_hash_but_a_new_host_does():
    hashes = {structure_hash(mask_pipeline(whole(one))[0]) for one in ("a-first", "a-second")}
    assert len(hashes) == 1
    assert structure_hash(mask_pipeline(whole("x@other"))[0]) in hashes
    moved = msgspec.structs.replace(whole(), spark={"spark.master": "yarn"})
    assert structure_hash(mask_pipeline(moved)[0]) not in hashes


def test_a_pipeline_without_a_secret_is_the_same():
    plain = Pipeline(name="p", namespace="n", tasks=(), spark={"spark.master": "yarn"})
    assert mask_pipeline(plain) == (plain, {})
    assert mask_pipeline(plain)[0] is plain


def test_a_secret_of_another_machine_is_missed_by_its_place():
    masked, _ = mask_pipeline(whole())
    with pytest.raises(RunError, match="clusters/big/create/1 is not known on this machine"):
        restore_pipeline(masked, {})
