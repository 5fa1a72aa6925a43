"""The reading commands, as processes against a real Neo4j."""

import json
import os
import re
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC
from pathlib import Path

import pytest

from lineagegraph.cli.show.log_printer import LogPrinter
from lineagegraph.graph import Graph
from lineagegraph.http.access.caller import lacking
from lineagegraph.ingest.extract import extract
from lineagegraph.ingest.record import record
from lineagegraph.model.access import Caller, Role
from lineagegraph.neo4j_server import ServerAddress
from lineagegraph.queries.analysis import read_critical_path
from lineagegraph.queries.runs.runs import read_run
from lineagegraph.secrets import mask_text
from lineagegraph.settings import Settings
from lineagegraph.views.live_run import LiveRunView
from lineagegraph.views.run_history import RunHistoryView
from tests.command_line import CommandLine
from tests.events import run_event
from tests.project import Project

SAMPLE = Path(__file__).parents[1] / "explore" / "sample.cypher"
RUN = "00000001-0000-7000-8000-000000000000"
NO_ZONE = re.compile(r"\b\d\d:\d\d(:\d\d)?\b(?!Z|[-+.:]\d| [A-Z]{3,4}\b)")


@pytest.fixture
def lineagegraph(graph: Graph, server: ServerAddress) -> CommandLine:
    graph.query(SAMPLE.read_text(encoding="utf-8"), write=True)
    return CommandLine(server)


def test_a_log_that_an_event_names_is_read_only_below_the_folder_of_logs(
    graph: Graph, server: ServerAddress, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "private").mkdir()
    (tmp_path / "private" / "file").write_text("of the user alone")
    settings = Settings(home=tmp_path / "home")
    (settings.home / "logs").mkdir(parents=True)
    (settings.home / "logs" / "link").symlink_to(tmp_path / "private")
    stated = [tmp_path / "private", tmp_path / "private" / "file", settings.home / "logs" / "link"]
    stated.append(settings.home / "logs" / ".." / ".." / "private" / "file")
    monkeypatch.setenv("LINEAGEGRAPH_HOME", str(settings.home))
    here = CommandLine(server)
    for number, path in enumerate(stated):
        event = run_event(f"hostile{number}")
        own = {"_producer": "https://example.org", "_schemaURL": "https://example.org"}
        event["run"]["facets"]["lineagegraph"] = own | {"log": str(path)}
        graph.write(record, extract([event]))
        run = event["run"]["runId"]
        for printed in (here("logs", run), here("show", run, "--log")):
            assert "of the user alone" not in printed.stdout
        seen = LiveRunView(graph, settings).answer_live(run)
        assert (seen.log, seen.tail) == (str(path), "")


def test_an_argument_that_is_not_utf_8_is_named(lineagegraph: CommandLine) -> None:
    answer = lineagegraph("runs", os.fsdecode(b"caf\xe9"))
    assert (answer.returncode, answer.stdout) == (1, "")
    assert answer.stderr == (
        "error: 'caf\\udce9' has characters that utf-8 lacks: "
        "write it in UTF-8, and set PYTHONUTF8=1 if the locale has another encoding\n"
    )


def test_the_name_of_a_token_is_not_masked_as_if_it_were_the_token(
    lineagegraph: CommandLine,
) -> None:
    unknown = lineagegraph("token", "revoke", "ann").stderr
    assert unknown == "error: no token named 'ann': `lineagegraph token list` lists them\n"
    refused = lacking(Caller("ann", {}), Role.READ, "shop")
    assert mask_text(refused) == "token named 'ann' has no role 'read' on namespace 'shop'"


def test_each_part_of_followed_logs_is_below_the_name_of_its_log(
    graph: Graph, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    event = run_event("followed")
    own = {"_producer": "https://example.org", "_schemaURL": "https://example.org"}
    event["run"]["facets"]["lineagegraph"] = own | {"log": str(tmp_path)}
    graph.write(record, extract([event]))
    one, two = tmp_path / "1.log", tmp_path / "2.log"
    printer = LogPrinter(graph, tmp_path, None)
    for path, line in ((one, "begins"), (two, "in two"), (two, "again"), (one, "ends")):
        with path.open("a") as file:
            print(line, file=file)
        printer.print_new(read_run(graph, event["run"]["runId"]).tree)
    printed = capsys.readouterr().out.replace(f"{tmp_path}/", "").splitlines()
    assert printed == ["── 1.log", "begins", "── 2.log", "in two", "again", "── 1.log", "ends"]


def test_a_task_that_did_not_run_as_another_failed_is_told_from_that(
    lineagegraph: CommandLine, graph: Graph, tmp_path: Path
) -> None:
    project = Project(tmp_path / "project", graph, tmp_path / "home")
    project.state("""
        bad = lg.command("bad", ["false"])
        lg.pipeline("p", tasks=[bad, lg.command("next", ["true"], after=bad)])
    """)
    run = project.run("p")
    for shown in (lineagegraph("show", run), lineagegraph("as-was", run)):
        lines = shown.stdout.splitlines()
        assert any("FAILED" in line and "bad" in line for line in lines if "UPSTREAM" not in line)
        assert any("UPSTREAM_FAILED" in line and "next" in line for line in lines)
    assert "not run: bad did not complete" in lineagegraph("show", run).stdout
    live = LiveRunView(graph, project.settings).answer_live(run).rows
    past = RunHistoryView(graph, project.settings).answer_tree(run)
    for state, began in [(live[-1].state, live[-1].began), (past[-1]["state"], past[-1]["began"])]:
        assert (state, began) == ("UPSTREAM_FAILED", None)
    day = read_run(graph, run).run.created_at
    assert day is not None
    legs = read_critical_path(graph, day.astimezone(UTC).date(), "UTC").legs
    assert [leg.job for leg in legs] == ["p.bad"]


@pytest.mark.parametrize(
    "arguments",
    [
        ("jobs",),
        ("jobs", "nyc.delays"),
        ("runs", "nyc.delays"),
        ("show", RUN),
        ("as-was", RUN),
        ("diff", RUN, RUN.replace("1", "2", 1)),
        ("lineage", "nyc.delays"),
        ("lineage", "namespace:default", "--up", "1"),
        ("lineage", "/gold/daily", "--columns"),
        ("lineage", "/gold/daily", "--at", "2030-01-01"),
        ("impact", "flights#dep_delay"),
        ("analysis", "unused-columns"),
        ("datasets",),
        ("freshness", "why", "/gold/daily"),
        ("firings",),
        ("trigger", "list"),
        ("trigger", "show", "nyc.delays"),
        ("trigger", "why", "nyc.delays"),
        ("cypher", "jobs/names/list_job_names", "--param", "limit=1"),
    ],
    ids=" ".join,
)
def test_a_command_answers_in_text_without_colour_codes_and_in_json(
    lineagegraph: CommandLine, arguments: tuple[str, ...]
) -> None:
    with ThreadPoolExecutor(2) as pool:
        texts = pool.map(lambda more: lineagegraph(*arguments, *more), [(), ("--json",)])
    text, answered = texts
    assert (text.returncode, text.stderr) == (0, "")
    assert "nyc" in text.stdout or "/gold/daily" in text.stdout
    assert "\x1b" not in text.stdout
    assert not NO_ZONE.search(text.stdout)
    assert json.loads(answered.stdout)


def test_a_diff_shows_what_changed_of_state_parameters_data_and_columns(
    lineagegraph: CommandLine, graph: Graph
) -> None:
    runs = [_report(graph, "COMPLETE", "int", 1000), _report(graph, "FAIL", "bigint", 2000)]
    shown = " ".join(lineagegraph("diff", *runs).stdout.split())
    assert "state COMPLETED FAILED" in shown
    assert "day 1000 2000" in shown
    assert "wrote ~ lake:/sales" in shown
    assert "1,000 → 2,000" in shown
    assert "columns of /sales ~ id int → bigint" in shown


def _report(graph: Graph, kind: str, column: str, number: int) -> str:
    event = run_event("report", kind, outputs=(("lake", "/sales"),))
    event["run"]["facets"]["lineagegraph"] = {"params": {"day": number}}
    event["outputs"][0] |= {
        "facets": {"schema": {"fields": [{"name": "id", "type": column}]}},
        "outputFacets": {"outputStatistics": {"rowCount": number}},
    }
    graph.write(record, extract([event]))
    run_id: str = event["run"]["runId"]
    return run_id


def test_wide_values_are_not_cut_when_piped(lineagegraph: CommandLine) -> None:
    assert "user code: ValueError: [red]no[/red]" in lineagegraph("runs", "nyc.delays").stdout


def test_a_picture_is_written_to_a_file(lineagegraph: CommandLine, tmp_path: Path) -> None:
    picture = tmp_path / "lineage.svg"
    assert lineagegraph("lineage", "/gold/daily", "--svg", str(picture)).returncode == 0
    assert picture.read_text(encoding="utf-8").startswith("<svg")


def test_a_column_names_its_exact_source(lineagegraph: CommandLine) -> None:
    shown = lineagegraph("lineage", "/gold/daily#mean_delay", "--down", "0").stdout
    assert "← /raw/flights.csv.dep_delay" in shown
    assert "carrier" not in shown


def test_a_query_from_standard_input_is_warned_of_a_label_that_is_not_there(
    lineagegraph: CommandLine,
) -> None:
    found = lineagegraph("cypher", "-", text="MATCH (n:Jbo) RETURN n.name")
    assert found.returncode == 0
    assert "no rows" in found.stdout + found.stderr
    assert "Jbo" in found.stderr
    assert lineagegraph("cypher", "-", text="MATCH (n:Job) RETURN n.key LIMIT 1").stderr == ""


def test_a_query_from_standard_input_may_not_write(lineagegraph: CommandLine) -> None:
    refused = lineagegraph("cypher", "-", text="CREATE (n:Job {key: 'x'}) RETURN n")
    assert refused.returncode == 1
    assert refused.stderr.startswith("error: Neo4j refuses the query: Writing in read access mode")


@pytest.mark.parametrize("value", ["9223372036854775808", '{"at": [-1e3, 99999999999999999999]}'])
def test_a_parameter_that_cannot_be_sent_is_one_line(lineagegraph: CommandLine, value: str) -> None:
    refused = lineagegraph("cypher", "-", "--param", f"x={value}", text="RETURN $x AS x")
    assert refused.returncode == 1
    assert refused.stderr.startswith("error: a parameter cannot be sent to Neo4j: ")
    assert refused.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("runs", "nyc.delay"), "error: no job 'nyc.delay': did you mean nyc.delays"),
        (("lineage", "nothing like it"), "error: no job or dataset 'nothing like it'"),
        (("show", "zzz"), "error: no run 'zzz'"),
        (("trigger", "show", "zzz"), "error: no trigger 'zzz'"),
        (("cypher", "no/such"), "error: no statement 'no/such'"),
    ],
)
def test_a_wrong_name_is_one_line_and_exit_1(
    lineagegraph: CommandLine, arguments: tuple[str, ...], said: str
) -> None:
    failed = lineagegraph(*arguments)
    assert failed.returncode == 1
    assert failed.stderr.startswith(said)
    assert failed.stderr.count("\n") == 1


def test_a_traceback_is_shown_with_debug_only(lineagegraph: CommandLine) -> None:
    assert "Traceback" in lineagegraph("--debug", "show", "zzz").stderr


def test_a_log_is_shown_with_the_run(
    lineagegraph: CommandLine,
    graph: Graph,
    server: ServerAddress,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("LINEAGEGRAPH_HOME", str(tmp_path))
    here = CommandLine(server)
    log = tmp_path / "logs" / "run.log"
    log.parent.mkdir()
    log.write_text("line [bold]one\n", encoding="utf-8")
    graph.query(
        "MATCH (r:Run {id: $id}) SET r.log = $log", {"id": RUN, "log": str(log)}, write=True
    )
    assert "line [bold]one\n" in here("logs", RUN).stdout
    assert "line [bold]one\n" in here("show", RUN, "--log").stdout


def test_the_facets_of_a_run_are_shown_without_secrets(
    lineagegraph: CommandLine, graph: Graph
) -> None:
    event = run_event("loader", "FAIL")
    trace = "\n".join(["Boom: no table", *(f"  at line {n}" for n in range(60))])
    secret = {"name": "DB_PASSWORD", "value": "hunter2"}
    event["run"]["facets"] |= {
        "externalQuery": {"externalQueryId": "q-17", "source": "bigquery"},
        "extractionError": {
            "totalTasks": 5,
            "failedTasks": 2,
            "errors": [{"errorMessage": "no parser for MERGE", "task": "MERGE", "taskNumber": 1}],
        },
        "executionParameters": {"parameters": [{"key": "day", "name": "day", "value": "12"}]},
        "environmentVariables": {
            "environmentVariables": [secret, {"name": "STAGE", "value": "blue"}]
        },
        "test": {"tests": [{"name": "no_nulls", "status": "fail", "actual": "3"}]},
        "errorMessage": {"message": "Boom", "programmingLanguage": "PYTHON", "stackTrace": trace},
    }
    graph.write(record, extract([event]))
    shown = lineagegraph("show", event["run"]["runId"]).stdout
    assert "hunter2" not in shown
    lines = [" ".join(line.split()) for line in shown.splitlines()]
    assert "query q-17 of bigquery" in lines
    assert "lineage incomplete: 2 of 5 tasks could not be read: no parser for MERGE" in lines
    assert 'execution day="12"' in lines
    assert 'environment DB_PASSWORD="***", STAGE="blue"' in lines
    assert "test no_nulls: fail (actual 3)" in lines
    assert {"at line 0", "… 41 lines", "at line 59"} <= set(lines)


def test_the_facets_of_data_and_incomplete_lineage_are_shown(
    lineagegraph: CommandLine, graph: Graph
) -> None:
    event = run_event("merger", inputs=(("lake", "raw"),), outputs=(("lake", "merged"),))
    error = {"totalTasks": 1, "failedTasks": 1, "errors": []}
    event["run"]["facets"]["extractionError"] = error
    event["inputs"][0]["inputFacets"] = {
        "icebergScanReport": {"snapshotId": 7, "scanMetrics": {"resultDataFiles": 3, "x": 0}},
        "dataQualityAssertions": {
            "assertions": [{"assertion": "not_null", "success": False, "column": "id"}]
        },
    }
    event["outputs"][0] |= {
        "facets": {
            "catalog": {"framework": "iceberg", "type": "glue", "name": "main"},
            "storage": {"storageLayer": "iceberg", "fileFormat": "parquet"},
            "hierarchy": {
                "hierarchy": [
                    {"type": "DATABASE", "name": "db"},
                    {"type": "TABLE", "name": "merged"},
                ]
            },
            "schema": {"fields": [{"name": "id", "type": "bigint"}]},
        },
        "outputFacets": {
            "icebergCommitReport": {"operation": "append", "commitMetrics": {"addedRecords": 9}}
        },
    }
    graph.write(record, extract([event]))

    def lines(*words: str) -> list[str]:
        return [" ".join(line.split()) for line in lineagegraph(*words).stdout.splitlines()]

    shown = lines("show", event["run"]["runId"])
    assert "lineage incomplete: 1 of 1 tasks could not be read" in shown
    assert "scan snapshotId=7, resultDataFiles=3 (lake:raw)" in shown
    assert "test not_null of id: fail (lake:raw)" in shown
    assert "commit operation=append, addedRecords=9 (lake:merged)" in shown
    shown = lines("show", "dataset:lake:merged")
    assert "catalog framework=iceberg, type=glue, name=main" in shown
    assert "storage storageLayer=iceberg, fileFormat=parquet" in shown
    assert "hierarchy DATABASE db › TABLE merged" in shown
    assert "commit operation=append, addedRecords=9" in shown
    assert "id bigint" in shown
    lineage = lineagegraph("lineage", "dataset:lake:merged").stdout
    assert "merger (lineage incomplete)" in lineage
    assert "lake:raw (quality failed)" in lineage
    assert "lake:merged (" not in lineage
    assert (
        "external, lineage incomplete"
        in lineagegraph("lineage", "merged", "--format", "svg").stdout
    )
