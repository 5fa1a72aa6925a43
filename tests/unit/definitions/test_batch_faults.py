"""What is wrong with a batch file is told in one line, with its place."""

import re
from pathlib import Path
from typing import Any

import pytest

from lineagegraph.authoring.batch_files.scanner import scan
from lineagegraph.errors import DefinitionError
from tests.unit.definitions.batches import DO, batch, read


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Places are told below the current folder."""
    monkeypatch.chdir(tmp_path)


def one(**said: Any) -> dict[str, Any]:
    """A batch with a task that says so."""
    return batch({"one": {**DO, **said}, "two": DO})


TEXTS = {
    "": "1:1: not JSON: expecting value",
    '{"batch": "daily",\n "tasks": }': "2:11: not JSON: expecting value",
    '{"batch": "daily",}': "1:19: not JSON: a comma stands before '}'",
    '{"batch": "daily" "tasks": {}}': "1:19: not JSON: ',' or '}' is expected here",
    "{'batch': 1}": "1:2: not JSON: expected a key in double quotes",
    '{"batch": "x", // no\n"tasks": {}}': "1:16: not JSON: expected a key in double quotes",
    '{"batch": "x"} {}': "1:16: not JSON: there is text after the end of the JSON value",
    '{"batch": "daily", "tasks": {"a": {"timeout": NaN}}}': "1:47: not JSON: NaN is not a number",
    '{"batch": "a\\ud800"}': "1:11: not JSON: '\\ud800' is not allowed in a text",
    '{"batch": "a\n"}': "1:13: not JSON: invalid control character",
    "[" * 100: "1:42: [0]",
    '{"batch": "daily",\n "tasks": {"a": {},\n "a": {}}}': (
        "3:2: tasks.a: is given twice (the first is on line 2): leave one out"
    ),
    '{"batch": "a", "batch": "b"}': "1:16: batch: is given twice",
}


@pytest.mark.parametrize("text", TEXTS)
def test_text_that_is_no_json_is_told_with_line_and_column(tmp_path: Path, text: str) -> None:
    with pytest.raises(DefinitionError, match="^" + re.escape(f"daily.json:{TEXTS[text]}")):
        read(tmp_path, text)


FAULTS: list[tuple[Any, str]] = [
    ({"tasks": {}}, ":1:1: a batch file has a key 'batch', which is missing here"),
    ({"batch": "daily"}, ":1:1: a batch file has a key 'tasks', which is missing here"),
    ({"batch": 3, "tasks": {}}, "batch: must be text, not 3"),
    (batch({}), "tasks: batch daily has no tasks"),
    (batch([]), "tasks: batch daily has no tasks"),
    (batch({"one": []}), "tasks.one: must be an object {…}, not a list"),
    (batch([{"command": ["true"]}]), "tasks[0]: a task in a list needs an `id`"),
    (
        batch([{"id": "a", **DO}, {"id": "a", **DO}]),
        "tasks[1].id: 'a' is the id of the task on line 1 too",
    ),
    (batch(concurency=2), "concurency: is not a known key (did you mean concurrency?)"),
    (one(retrys=2), "tasks.one.retrys: is not a known key (did you mean retries?)"),
    (one(retries=-1), "tasks.one.retries: retries=-1 must be 0 or more"),
    (one(retries="2"), "tasks.one.retries: retries='2' must be 0 or more"),
    (one(retries=True), "tasks.one.retries: retries=True must be 0 or more"),
    (one(timeout="soon"), "tasks.one.timeout: timeout 'soon' is not a duration"),
    (one(timeout=0), "tasks.one.timeout: timeout=0 must be more than 0"),
    (one(freshnessCriteriaInHours=-1), "-1 hours must be between 0 and ten years"),
    (one(freshnessCriteriaInHours=1e9), "hours must be between 0 and ten years"),
    ('{"batch": "b", "tasks": {"a": {"freshnessCriteriaInHours": 1e999}}}', "inf hours must be"),
    (one(freshnessCriteriaInHours="24"), "must be a number, not '24'"),
    (one(freshnessCriteriaInHours=True), "must be a number, not true"),
    (one(freshnessCriteriaInHours=None), "must be a number, not null"),
    (one(freshnessCriteriaInHours=1, maxAge="1h"), "means the same as freshnessCriteriaInHours"),
    (one(freshness={"maxAge": "1h"}, since="day"), "tasks.one.since: must be inside `freshness`"),
    (
        one(freshness={"maxage": "1h"}),
        "tasks.one.freshness.maxage: is not a known key (did you mean",
    ),
    (one(maxAge="-1h"), "maxAge='-1h' is not a duration"),
    (one(since="noon"), "since='noon' must be 'day', 'hour' or a cron expression"),
    (one(since="0 2 * * *", zone="Asia/Dubay"), "tasks.one.zone: zone: 'Asia/Dubay' is not a"),
    (one(counts="start"), "tasks.one.counts: counts='start' must be one of end, data_end"),
    (one(partition="each"), "partition='each' must be 'same' or 'any'"),
    (one(dependencies=["one"]), "tasks.one.dependencies[0]: task one depends on itself"),
    (one(dependencies=["daily.one"]), "task one depends on itself"),
    (one(dependenciesWithMeta={"one": {}}), "tasks.one.dependenciesWithMeta.one: task one depends"),
    (one(dependencies=["two", "two"]), "tasks.one.dependencies[1]: 'two' is listed twice"),
    (one(dependencies="two"), "tasks.one.dependencies: must be a list […], not 'two'"),
    (
        one(dependencies=["daily.tow"]),
        "task one depends on 'daily.tow', which is not a task of its batch",
    ),
    (
        one(dependenciesWithMeta={"finance.fx": {"freshnessCriteriaInHour": 1}}),
        'tasks.one.dependenciesWithMeta["finance.fx"].freshnessCriteriaInHour: is not a known key',
    ),
    (
        one(dependenciesWithMeta={"two": {"whenSkipped": "wait"}}),
        "whenSkipped='wait' must be one of block, ignore, skip_child",
    ),
    (one(dependenciesWithMeta={"two": {"recheck": 0}}), "recheck=0 must be between 1 seconds"),
    (one(dependenciesWithMeta={"two": {"wait": "1y"}}), "wait='1y' is not a duration"),
    (one(dependenciesWithMeta={"two": {"external": 1}}), "external: must be true or false, not 1"),
    (batch({"one": {}}), "tasks.one: has no work: give it one of sql, callable, notebook"),
    (
        one(sql="SELECT 1"),
        "tasks.one.command: a task has one kind of work, and this one has sql too",
    ),
    (one(target="a.b"), "tasks.one.target: is for tasks with sql, and this one has command"),
    (batch({"one": {"sql": ""}}), "tasks.one.sql: is empty"),
    (batch({"one": {"sql": {"file": "no.sql"}}}), "sql.file: query 'no.sql': no such file"),
    (batch({"one": {"sql": "SELECT 1", "mode": "merge"}}), "mode='merge' must be one of"),
    (batch({"one": {"sql": "SELECT 1", "target": "a;b"}}), "one.target: target='a;b' is not the"),
    (batch({"one": {"sql": "SELECT 1", "target": "a..b"}}), "target='a..b' is not the name of a"),
    (batch({"one": {"notebook": "no.ipynb"}}), "notebook 'no.ipynb': no such file"),
    (batch({"one": {"notebook": "/etc/passwd"}}), "'/etc/passwd' is not in the project"),
    (batch({"one": {"command": ["x"], "params": {}}}), "params: is for tasks with notebook"),
    (batch({"one": {"notebook": "kpi.ipynb", "params": {"a b": 1}}}), "'a b': use a Python name"),
    (batch({"one": {"notebook": "kpi.ipynb", "params": 3}}), "params: must be an object {…}"),
    (batch({"one": {"callable": "etl"}}), "'etl' must be module:function"),
    (batch({"one": {"callable": "no_such_etl.x:f"}}), "the project has no module no_such_etl"),
    (batch({"one": {"callable": "json:no"}}), "tasks.one.callable: module json has no no"),
    (batch({"one": {"callable": "json:dumps"}}), "argument 'obj' is neither 'spark' nor a param"),
    (batch({"one": {"spark_submit": {}}}), "tasks.one.spark_submit: needs one `jar` or `file`"),
    (batch({"one": {"spark_submit": {"jar": "no.jar"}}}), "file 'no.jar': no such file"),
    (batch({"one": {"command": []}}), "tasks.one.command: is empty"),
    (batch({"one": {"command": ["echo", "{moth}"]}}), "{moth} is not a parameter of its pipeline"),
    (
        batch({"one": {"command": ["sh", "-c", "echo {month}"]}}, params={"month": 1}),
        "task one: {month} would run as code of sh: pass it as an argument",
    ),
    (one(cluster="emr"), "tasks.one.cluster: task one: batch daily has no cluster 'emr'"),
    (batch(clusters={"": {}}), 'clusters[""]: cluster name'),
    (batch(cluster={"create": []}), "cluster.create: is empty"),
    (
        batch(cluster={"destory": ["x"]}),
        "cluster.destory: is not a known key (did you mean destroy?)",
    ),
    (batch(concurrency=0), "concurrency: concurrency=0 must be 1 or more"),
    (batch(schedule={"cron": "61 2 * * *"}), "schedule.cron: schedule: cron '61 2 * * *'"),
    (batch(schedule={"zone": "UTC"}), "schedule: needs either `cron` or `every`"),
    (batch(schedule={"cron": "0 2 * * *", "zone": "Mars"}), "schedule.zone: zone: 'Mars' is no"),
    (batch(trigger={"on": "cron"}), "trigger: $.when: Object missing required field"),
    (
        batch(params={"a": {"type": "dat"}}),
        "params.a.type: 'dat' is not a type (did you mean date?)",
    ),
    (batch(params={"a": None}), "params.a: null has no type"),
    (batch(partitionBy="day"), "partitionBy: partition_by='day' is not a parameter of"),
    (batch(startDate="soon"), "startDate: start_date='soon' is not a day or time"),
    (batch(rerun="never"), "rerun: rerun="),
    (batch(zone="Mars"), "zone: zone: 'Mars' is not a time zone"),
    (batch(partition_by="a", partitionBy="a"), "is given twice: line 1 has it too"),
    (
        batch({"a": {**DO, "emits": {"rows": "number"}}}),
        "tasks.a.emits.rows: 'number' is not a type",
    ),
]


@pytest.mark.parametrize(("stated", "said"), FAULTS)
def test_what_is_wrong_with_a_batch_is_one_line_with_its_place(
    tmp_path: Path, stated: Any, said: str
) -> None:
    with pytest.raises(DefinitionError) as caught:
        read(tmp_path, stated)
    told = str(caught.value)
    assert re.match(r"daily\.json:\d+:\d+: ", told), told
    assert said in told
    assert "\n" not in told


def test_a_cycle_in_a_batch_is_told_with_its_path(tmp_path: Path) -> None:
    tasks = {
        "a": {**DO, "dependencies": ["c"]},
        "b": {**DO, "dependencies": ["daily.a"]},
        "c": {**DO, "dependenciesWithMeta": {"b": {"maxAge": "1h"}}},
    }
    with pytest.raises(DefinitionError, match=r"has a cycle of tasks: . -> . -> . -> .$"):
        read(tmp_path, batch(tasks))


def test_a_file_that_is_too_large_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DefinitionError, match="more than 4,194,304 bytes"):
        read(tmp_path, '{"batch": "' + "x" * 5_000_000)


def test_bytes_that_are_no_text_are_told_with_their_place(tmp_path: Path) -> None:
    with pytest.raises(DefinitionError, match=r"^daily\.json:2:3: not JSON: the text is not UTF-8"):
        scan(b'{"batch":\n "\xff"}', "daily.json")
