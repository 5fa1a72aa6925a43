"""Tasks that defer to sensors, with daemons, sensor processes and workers that are processes."""

import sys
from collections.abc import Iterator
from pathlib import Path
from textwrap import dedent

import msgspec
import psutil
import pytest

from lineagegraph.graph import Graph
from lineagegraph.model.runs.deferral import DeferralAnswer
from lineagegraph.model.runs.states import RunState
from lineagegraph.neo4j_server import ServerAddress
from lineagegraph.sensors import sensor_id
from lineagegraph.store.runs.deferrals import settle_answers
from lineagegraph.store.sensors.sensors import settle_roots
from tests.acceptance.batches.yard import Yard, open_yard
from tests.acceptance.processes import until
from tests.sensors import file

STATED = """
from pathlib import Path

DATA = "FOLDER"
landed = lg.sensor("file", path="FOLDER/flag", poke_interval="0.5s", timeout="TIMEOUT")


def note(text):
    with open("ran.txt", "a") as file:
        file.write(f"{text}\\n")


def newest():
    names = sorted(path.name for path in Path("FOLDER").glob("*.csv"))
    return {"file": names[-1]} if names else False


"""


@pytest.fixture
def yard(server: ServerAddress, graph: Graph, tmp_path: Path) -> Iterator[Yard]:
    """A folder of pipelines, and a daemon with one slot, whose runs park as soon as they wait."""
    parked = {"LINEAGEGRAPH_RESTING_WORKERS": "0", "LINEAGEGRAPH_SENSOR_LEASE_SECONDS": "3"}
    with open_yard(server, graph, tmp_path, slots=1, **parked) as found:
        yield found


@pytest.fixture
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder outside of the project, whose code is unpacked elsewhere for each run."""
    return tmp_path_factory.mktemp("data")


def state(yard: Yard, data: Path, text: str, timeout: str = "1h") -> None:
    """State pipelines whose tasks note what they do, in its order."""
    head = STATED.replace("FOLDER", str(data)).replace("TIMEOUT", timeout)
    yard.sync(head + dedent(text))


def workers(yard: Yard) -> list[psutil.Process]:
    home = yard.commands.environment["LINEAGEGRAPH_HOME"]
    found = []
    for process in psutil.process_iter():
        try:
            is_own = process.environ().get("LINEAGEGRAPH_HOME") == home
            if is_own and any("worker.worker" in word for word in process.cmdline()):
                found.append(process)
        except psutil.Error:
            continue
    return found


TWO = """
@lg.task(emits={"file": str})
def load():
    note("begins")
    first = lg.defer(landed)
    note(f"flag {bool(first)}")
    second = lg.defer(lg.sensor(newest, poke_interval="0.5s"))
    note(second.values["file"])
    lg.emit(file=second.values["file"])


lg.pipeline("defers", tasks=[load, work("after", after=load)])
lg.pipeline("other", tasks=[work("other")])
"""


def test_a_deferred_task_holds_no_process_and_goes_on_with_each_answer(
    yard: Yard, data: Path
) -> None:
    state(yard, data, TWO)
    yard.up()
    yard.submit("defers")
    until(lambda: yard.launch("defers") == "PARKED", 90)
    until(lambda: not workers(yard), 30)
    assert yard.states("defers.load") == ["WAITING"]
    why = yard.commands("sensor", "why", yard.run_id("defers")).stdout
    assert f"file {data}/flag" in why
    yard.submit("other")
    yard.until("other", "COMPLETED")
    (data / "flag").touch()
    until(lambda: yard.ran.count("begins") == 2 and yard.launch("defers") == "PARKED", 90)
    assert yard.ran == ["begins", "other", "begins", "flag", "True"]
    (data / "a.csv").touch()
    yard.until("defers", "COMPLETED")
    assert yard.ran[5:] == ["begins", "flag", "True", "a.csv", "after"]
    assert yard.states("defers.load") == ["COMPLETED"]
    (run,) = yard.graph.query(
        "MATCH (:Job {fqn: 'defers.load'})-[:HAS_RUN]->(r:Run)"
        " OPTIONAL MATCH (c:StateChange)-[:OF]->(r)"
        " WITH r, c ORDER BY c.at, c.position RETURN r.emitted AS emitted, collect(c.state) AS all"
    )
    assert run["emitted"] == '{"file":"a.csv"}'
    assert run["all"] == ["RUNNING", "WAITING", "RUNNING", "WAITING", "RUNNING", "COMPLETED"]
    assert yard.commands("sensor", "why", yard.run_id("defers")).stdout.count("load  success") == 2


def test_a_kill_of_all_processes_while_it_waits_and_while_it_goes_on_loses_no_answer(
    yard: Yard, data: Path
) -> None:
    state(
        yard,
        data,
        """
        import time

        @lg.task
        def load():
            note("begins")
            lg.defer(landed)
            note("flag")
            if not Path(f"{DATA}/calm").exists():
                time.sleep(600)
            second = lg.defer(lg.sensor(newest, poke_interval="0.5s"))
            note(second.values["file"])


        lg.pipeline("defers", tasks=[load])
        """,
    )
    yard.up()
    yard.submit("defers")
    until(lambda: yard.launch("defers") == "PARKED", 90)
    yard.kill_all()
    flag = data / "flag"
    flag.touch()
    yard.commands("down")
    yard.up()
    until(lambda: yard.ran == ["begins", "begins", "flag"], 120)
    # The answer is taken: the flag is not needed any more.
    flag.unlink()
    (data / "calm").touch()
    yard.kill_all()
    yard.commands("down")
    yard.up()
    until(lambda: yard.ran.count("begins") == 3 and yard.launch("defers") == "PARKED", 120)
    (data / "a.csv").touch()
    yard.until("defers", "COMPLETED")
    assert yard.ran[3:] == ["begins", "flag", "begins", "flag", "a.csv"]


def test_a_timeout_fails_the_task_with_its_reason_and_soft_fail_gives_a_false_answer(
    yard: Yard, data: Path
) -> None:
    state(
        yard,
        data,
        """
        soft = lg.sensor("file", path=f"{DATA}/no", poke_interval="0.5s", timeout="1s",
                         soft_fail=True)

        @lg.task
        async def softly():
            note(f"answer {bool(await lg.defer(soft))}")

        @lg.task
        def load():
            lg.defer(landed)

        lg.pipeline("late", tasks=[load])
        lg.pipeline("soft", tasks=[softly])
        """,
        timeout="2s",
    )
    yard.up()
    yard.submit("late")
    yard.submit("soft")
    yard.until("late", "FAILED")
    yard.until("soft", "COMPLETED")
    assert yard.ran == ["answer", "False"]
    (run,) = yard.graph.query(
        "MATCH (:Job {fqn: 'late.load'})-[:HAS_RUN]->(r:Run)"
        " RETURN r.reason AS reason, coalesce(r.error, r.message) AS message"
    )
    assert run["reason"] == "TIMEOUT"
    assert "deferred: not true within 2s" in run["message"]


def test_a_deferred_task_gives_its_slots_of_a_pool_back_and_takes_them_again(
    yard: Yard, data: Path
) -> None:
    assert yard.commands("pool", "set", "lab", "1").returncode == 0
    state(
        yard,
        data,
        """
        def named(name):
            return {"file": name} if Path(f"{DATA}/{name}").exists() else False

        @lg.task(pool="lab")
        def load(name: str):
            note("begins")
            answer = lg.defer(lg.sensor(named, fields={"arguments": {"name": name}},
                                        poke_interval="0.5s"))
            note(answer.values["file"])

        lg.pipeline("defers", tasks=[load], params={"name": str})
        lg.pipeline("other", tasks=[work("other", pool="lab")])
        """,
    )
    yard.up()
    yard.submit("defers", "--param", "name=b.csv")
    until(lambda: yard.launch("defers") == "PARKED", 90)
    assert "0 of 1 slots taken" in yard.commands("pool", "show", "lab").stdout
    yard.submit("other")
    yard.until("other", "COMPLETED")
    (data / "b.csv").touch()
    yard.until("defers", "COMPLETED")
    assert yard.ran == ["begins", "other", "begins", "b.csv"]
    assert "0 of 1 slots taken" in yard.commands("pool", "show", "lab").stdout


def test_a_worker_that_died_before_a_wait_was_written_or_after_its_answer_was_taken(
    yard: Yard, data: Path
) -> None:
    state(
        yard,
        data,
        """
        @lg.task
        def load():
            note("begins")
            note(lg.defer(landed).message)

        lg.pipeline("defers", tasks=[load])
        """,
    )
    yard.up()
    yard.submit("defers")
    until(lambda: yard.launch("defers") == "PARKED", 90)
    yard.kill_all()
    yard.graph.query("MATCH (:Run)-[w:WAITS_ON]->(:Sensor) DELETE w", write=True)
    go_on(yard)
    until(lambda: yard.ran == ["begins"] * 2 and yard.launch("defers") == "PARKED", 120)
    yard.kill_all()
    answer = DeferralAnswer(
        asked=sensor_id(file(data / "flag")), state=RunState.COMPLETED, message="taken"
    )
    text = msgspec.json.encode([answer]).decode()
    (run,) = yard.graph.query("MATCH (r:Run)-[:WAITS_ON]->(:Sensor) RETURN r.id AS id")
    yard.graph.write(settle_answers, run_id=run["id"], answers=text)
    go_on(yard)
    yard.until("defers", "COMPLETED")
    assert yard.ran == ["begins"] * 3 + ["taken"]


def go_on(yard: Yard) -> None:
    """Let the parked run go on, as an answer would, with another daemon."""
    yard.graph.write(settle_roots, ids=[yard.run_id("defers")], now=None)
    yard.commands("down")
    yard.up()


def test_a_parked_task_that_waits_for_several_parents_asks_for_all_of_them_again(
    yard: Yard, data: Path
) -> None:
    state(
        yard,
        data,
        """
        lg.batch("parents", tasks=[work("a")])
        lg.batch("others", tasks=[work("b")])
        lg.batch("kpi", tasks=[work("daily", dependencies=["parents.a", "others.b"])])
        """,
    )
    yard.up()
    yard.submit("kpi")
    until(lambda: yard.launch("kpi") == "PARKED", 90)
    yard.submit("parents")
    yard.until("parents", "COMPLETED")
    until(lambda: yard.launches("kpi") == 2 and yard.launch("kpi") == "PARKED", 90)
    assert yard.ran == ["a"]
    yard.submit("others")
    yard.until("kpi", "COMPLETED")
    assert yard.ran == ["a", "b", "daily"]


FRESH = """
@lg.task(freshness=lg.freshness("1h"), dependencies=["parents.a"])
def load():
    note("begins")
    lg.defer(landed)
    note("flag")


lg.batch("parents", tasks=[work("a")])
lg.batch("defers", tasks=[load])
lg.batch("other", tasks=[work("other")])
"""


def test_a_deferred_task_of_a_batch_keeps_its_lease_and_is_not_asked_again(
    yard: Yard, data: Path
) -> None:
    state(yard, data, FRESH)
    yard.up()
    yard.submit("parents")
    yard.until("parents", "COMPLETED")
    yard.submit("defers")
    until(lambda: yard.parked("defers") == 1, 90)
    # The same task elsewhere waits for it, while neither has a process.
    yard.submit("defers")
    until(lambda: yard.parked("defers") == 2, 90)
    assert yard.states("defers.load") == ["WAITING", "WAITING"]
    assert "executes it now" in yard.message("defers.load")
    # It has begun: a parent that is not fresh any more does not stop it.
    yard.graph.query(
        "MATCH (:Job {fqn: 'parents.a'})-[:HAS_RUN]->(r:Run) SET r.state = 'FAILED'", write=True
    )
    assert yard.ran == ["a", "begins"]
    (data / "flag").touch()
    yard.until("defers", "COMPLETED", "FRESH_SKIP")
    assert yard.ran == ["a", "begins", "begins", "flag"]


def test_of_equal_tasks_that_defer_one_begins_and_the_others_take_its_result(
    yard: Yard, data: Path
) -> None:
    state(
        yard,
        data,
        """
        @lg.task(identity=[], emits={"found": bool})
        def load():
            note("begins")
            lg.emit(found=bool(lg.defer(landed)))

        lg.pipeline("one", tasks=[load])
        lg.pipeline("two", tasks=[load])
        """,
    )
    yard.up()
    yard.submit("one")
    until(lambda: yard.launch("one") == "PARKED", 90)
    yard.submit("two")
    until(lambda: yard.launch("two") == "PARKED", 90)
    (data / "flag").touch()
    yard.until("one", "COMPLETED")
    yard.until("two", "COMPLETED")
    assert yard.ran == ["begins", "begins"]
    rows = yard.graph.query("MATCH (r:Run {emitted: '{\"found\":true}'}) RETURN count(r) AS n")
    assert rows == [{"n": 2}]


def test_a_deferred_task_of_a_batch_that_is_cancelled_lets_the_same_task_go_on(
    yard: Yard, data: Path
) -> None:
    state(yard, data, FRESH)
    yard.up()
    yard.submit("parents")
    yard.until("parents", "COMPLETED")
    yard.submit("defers")
    until(lambda: yard.parked("defers") == 1, 90)
    first = yard.run_id("defers")
    yard.submit("defers")
    until(lambda: yard.parked("defers") == 2, 90)
    assert yard.commands("cancel", first).returncode == 0
    until(lambda: yard.states("defers")[0] == "KILLED" and yard.ran.count("begins") == 2, 120)
    (data / "flag").touch()
    yard.until("defers", "KILLED", "COMPLETED")


def test_a_killed_daemon_and_worker_lose_nothing_of_a_deferred_task_of_a_batch(
    yard: Yard, data: Path
) -> None:
    state(yard, data, FRESH)
    yard.up()
    yard.submit("parents")
    yard.until("parents", "COMPLETED")
    yard.submit("defers")
    until(lambda: yard.parked("defers") == 1, 90)
    yard.kill_all()
    (data / "flag").touch()
    yard.commands("down")
    yard.up()
    yard.until("defers", "COMPLETED")
    assert yard.ran == ["a", "begins", "begins", "flag"]


def test_a_command_that_defers_fails_and_names_the_way_out(yard: Yard, data: Path) -> None:
    (yard.commands.folder / "asks.py").write_text(
        f"import lineagegraph as lg\nlg.defer(lg.sensor('file', path='{data}/flag'))\n"
    )
    state(
        yard,
        data,
        f"""
        lg.pipeline("asks", tasks=[lg.command("load", [{sys.executable!r}, "asks.py"])])
        lg.pipeline("waits", tasks=[landed, work("load", after=landed)])
        """,
    )
    yard.up()
    yard.submit("asks")
    yard.until("asks", "FAILED")
    log = yard.commands("logs", yard.run_id("asks.load")).stdout
    assert "defer() was called outside a Python task" in log
    assert "a command or a task on a cluster put a task lg.sensor(…)" in log
    (data / "flag").touch()
    yard.submit("waits")
    yard.until("waits", "COMPLETED")
    assert yard.ran == ["load"]
