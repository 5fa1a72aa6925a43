"""The sentence of a schedule: all that may be left out, and where it goes wrong."""

import pytest

from lineagegraph.errors import InvalidRule
from lineagegraph.model.runs.states import RunState
from lineagegraph.model.triggers.schedule_sentence import WatchedProgram, parse_sentence

SHORTEST = "nightly for workflow report after program load type workflow status COMPLETED"
LONGEST = [
    *("nightly", "for", "WORKFLOW", "report", "version", "1.2", "description", "After the load"),
    *("after", "program", "load.read", "type", "Spark", "status", "completed", "or", "FAILED"),
    *("or", "killed", "namespace", "raw", "application", "shop", "version", "3"),
    *("concurrency", "2", "not-failing", "audit", "properties", '{"month": 2, "zone": "UTC"}'),
]


def test_the_shortest_sentence_leaves_out_all_that_may_be_left_out() -> None:
    said = parse_sentence(SHORTEST.split())
    assert (said.name, said.type, said.program) == ("nightly", "WORKFLOW", "report")
    assert said.after == WatchedProgram(
        name="load", type="WORKFLOW", statuses=(RunState.COMPLETED,)
    )
    assert (said.version, said.description, said.concurrency, said.properties) == (None,) * 4


def test_the_longest_sentence_says_all_of_it() -> None:
    said = parse_sentence(LONGEST)
    assert (said.version, said.description) == ("1.2", "After the load")
    assert said.after == WatchedProgram(
        name="load.read",
        type="SPARK",
        statuses=(RunState.COMPLETED, RunState.FAILED, RunState.KILLED),
        namespace="raw",
        application="shop",
        version="3",
    )
    assert said.concurrency == 2
    assert said.not_failing == "audit"
    assert said.properties == {"month": 2, "zone": "UTC"}


@pytest.mark.parametrize(
    "rest",
    [
        "namespace n",
        "application a",
        "version v",
        "concurrency 1",
        "not-failing p",
        "properties {}",
    ],
)
def test_each_part_may_be_there_alone(rest: str) -> None:
    parse_sentence(f"{SHORTEST} {rest}".split())
    parse_sentence(f"{SHORTEST} or failed {rest}".split())


def test_names_may_be_words_of_the_sentence() -> None:
    words = "for for workflow version version status after program after type workflow"
    said = parse_sentence(f"{words} status failed or failed namespace or".split())
    assert (said.name, said.program, said.version) == ("for", "version", "status")
    assert (said.after.name, said.after.statuses) == ("after", (RunState.FAILED,))
    assert said.after.namespace == "or"


@pytest.mark.parametrize(
    ("sentence", "said"),
    [
        ("", "at its beginning: expected NAME, but the sentence ends"),
        ("nightly", "after 'nightly': expected for TYPE PROGRAM, but the sentence ends"),
        ("nightly at noon", "after 'nightly': expected for TYPE PROGRAM, not 'at'"),
        ("nightly for workflow", "after 'nightly for workflow': expected PROGRAM"),
        (
            "nightly for workflow report before load",
            "after 'nightly for workflow report': expected version V, description D or "
            "after program P, not 'before'",
        ),
        ("nightly for workflow report version 1", "expected description D or after program P"),
        ("nightly for workflow report version 1 version 2", "not 'version'"),
        ("nightly for workflow report after load", "after 'for workflow report after': expected"),
        (f"{SHORTEST.removesuffix(' COMPLETED')}", "expected S, but the sentence ends"),
        (f"{SHORTEST} or", "after 'workflow status COMPLETED or': expected S"),
        (
            f"{SHORTEST} and failed",
            "expected namespace N, application A, version V, concurrency N, not-failing P or "
            "properties JSON, not 'and'",
        ),
        (f"{SHORTEST} namespace", "expected N, but the sentence ends"),
        (f"{SHORTEST} namespace a namespace b", "not 'namespace'"),
        (f"{SHORTEST} concurrency 0", "concurrency '0'"),
        (f"{SHORTEST} concurrency many", "concurrency 'many'"),
        (f"{SHORTEST} properties month=2", "write a JSON object"),
        (f"{SHORTEST} properties [1]", "write a JSON object"),
        (SHORTEST.replace("COMPLETED", "RUNNING"), "may still fail: use COMPLETED"),
        (SHORTEST.replace("COMPLETED", "initializing"), "INITIALIZING cannot start a job"),
        (f"{SHORTEST} or pending", "PENDING"),
    ],
)
def test_an_error_tells_where_it_goes_wrong_and_what_may_come(sentence: str, said: str) -> None:
    with pytest.raises(InvalidRule) as raised:
        parse_sentence(sentence.split())
    assert said in str(raised.value)
    assert "\n" not in str(raised.value)
