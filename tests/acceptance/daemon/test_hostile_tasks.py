"""A task that crashes, hangs or fills memory does so alone: each bad task of a run is named."""

import json
import re
from pathlib import Path

import pytest

from lineagegraph.graph import Graph
from lineagegraph.reading.sync import sync_path
from lineagegraph.settings import Settings
from tests.acceptance.daemon.looks import state
from tests.acceptance.processes import Commands, until

HOSTILE = """
import ctypes, logging, os, signal, subprocess, sys, threading, time
import lineagegraph as lg

def bad(**options):
    return lg.task(**options)

@bad()
def exits():
    os._exit(7)

@bad()
def ends_well():
    os._exit(0)

@bad()
def becomes_another_program():
    os.execvp("true", ["true"])

@bad()
def aborts():
    os.abort()

@bad()
def segfaults():
    print("before the fault", flush=True)
    ctypes.string_at(0)

@bad()
def kills_itself():
    os.kill(os.getpid(), signal.SIGKILL)

@bad()
def kills_its_group():
    os.killpg(0, signal.SIGKILL)

@bad()
def leaves():
    sys.exit("enough")

@bad()
def raises():
    raise BaseException("base")

@bad(timeout=1.5, retries=1)
def hangs():
    print("hanging")
    time.sleep(40)

@bad(timeout=1)
def hangs_though_stopped():
    while True:
        try:
            time.sleep(60)
        except BaseException:
            pass

@bad(timeout=1)
def hangs_in_threads():
    threads = [threading.Thread(target=time.sleep, args=(60,)) for _ in range(20)]
    for thread in threads:
        thread.start()
    threads[0].join()

@bad(memory="200m")
def fills_memory():
    held = []
    while True:
        held.append(bytearray(10_000_000))
        time.sleep(0.01)

@bad(memory="200m")
def fills_memory_elsewhere():
    code = "import time; held = [bytearray(10**7) for _ in range(60)]; time.sleep(60)"
    subprocess.run([sys.executable, "-c", code])

@bad(cpu_time=1)
def computes():
    while True:
        pass

@bad()
def closes_descriptors():
    os.closerange(0, 4096)

@bad(timeout=2)
def forks():
    for _ in range(30):
        if os.fork() == 0:
            time.sleep(60)
            os._exit(0)
    time.sleep(60)

@bad()
def overflows_the_stack():
    sys.setrecursionlimit(10**8)
    def down(n):
        return [down(n + 1)] if n else repr(eval("(" * 90 + ")" * 90))
    import json
    class Deep:
        def __repr__(self):
            return repr([self])
    ctypes.pythonapi.PyObject_Repr.restype = ctypes.py_object
    threading.stack_size(65536)
    os.kill(os.getpid(), signal.SIGSEGV)

@bad()
def raises_an_alarm():
    signal.setitimer(signal.ITIMER_REAL, 0.2)
    time.sleep(30)

@bad()
def emits_too_much():
    lg.emit(text="x" * 100_000)

@bad()
def loses_its_streams():
    sys.stdout = None
    sys.stderr.close()
    raise ValueError(os.fsdecode(b"caf\\xe9"))

@bad()
def prints_much():
    line = "x" * 9_999 + chr(10)
    for _ in range(LINES):
        sys.stdout.write(line)
    raise ValueError("printed")

BAD = [exits, ends_well, becomes_another_program, aborts, segfaults, kills_itself,
       kills_its_group, leaves, raises, hangs, hangs_though_stopped, hangs_in_threads,
       fills_memory, fills_memory_elsewhere, computes, closes_descriptors, forks,
       overflows_the_stack, raises_an_alarm, emits_too_much, loses_its_streams, prints_much]

@lg.task
def changes_the_process():
    os.chdir("/")
    os.environ["LEAKED"] = "yes"
    os.umask(0o777)
    sys.path.insert(0, "/leaked")
    logging.getLogger().setLevel(logging.CRITICAL)

def make(number):
    @lg.task(name=f"good_{number}")
    def good():
        time.sleep(0.2)
        assert os.environ.get("LEAKED") is None and "/leaked" not in sys.path
        assert os.path.basename(os.getcwd()) == FOLDER, os.getcwd()
        logging.info("good %s", number)
        print("by python"); os.system("echo by the shell")
        lg.emit(number=number, pid=os.getpid(), color=lg.variable("color", "none"))
        if number == 0:
            lg.expand(paint, color=["red", "blue"])
    return good

def paint(color: str):
    lg.emit(painted=color, pid=os.getpid())

lg.pipeline("storm", tasks=[*BAD, changes_the_process, *map(make, range(18))], concurrency=6)
"""

EXPECTED = {
    "exits": "exit status 7",
    "ends_well": r"os\._exit\(0\)",
    "becomes_another_program": r"replaced it by another program \(os\.exec\.\.\.\)",
    "aborts": "killed by SIGABRT",
    "segfaults": "killed by SIGSEGV",
    "kills_itself": "killed by SIGKILL",
    "kills_its_group": "killed by SIGKILL",
    "leaves": "SystemExit: enough",
    "raises": "BaseException: base",
    "hangs": "more than its timeout of 1.5 s",
    "hangs_though_stopped": "more than its timeout of 1 s",
    "hangs_in_threads": "more than its timeout of 1 s",
    "fills_memory": "memory, more than its limit of 209,715,200",
    "fills_memory_elsewhere": "memory, more than its limit of 209,715,200",
    "computes": "more CPU time than its limit of 1 s",
    "closes_descriptors": "the task's process",
    "forks": "more than its timeout of 2 s",
    "overflows_the_stack": "killed by SIGSEGV",
    "raises_an_alarm": "killed by SIGALRM",
    "emits_too_much": "emitted values have",
    "loses_its_streams": r"ValueError: caf\\udce9",
    "prints_much": "ValueError: printed",
}

ENDS = """
MATCH (p:Job {fqn: 'storm'})-[:HAS_RUN]->(:Run)-[:PARENT_OF]->(r:Run)<-[:HAS_RUN]-(j:Job)
RETURN j.simple_name AS task, r.state AS state, coalesce(r.message, r.error) AS message,
       r.emitted AS emitted, r.attempt AS attempt
"""


def storm(commands: Commands, graph: Graph, lines: int) -> dict[str, dict[str, object]]:
    file = commands.folder / "storm.py"
    head = f"LINES = {lines}\nFOLDER = {file.parent.name!r}\n"
    file.write_text(head + HOSTILE)
    sync_path(graph, Settings(home=commands.folder / "home"), file)
    commands("variable", "set", "color", '"green"')
    commands("run", "storm")
    until(lambda: state(graph, "storm") == "FAILED", 150)
    return {row["task"]: row for row in graph.query(ENDS)}


def test_of_forty_tasks_the_good_ones_end_well_and_each_bad_one_is_named(
    commands: Commands, graph: Graph
) -> None:
    ends = storm(commands, graph, 3_000)
    good = {name: row for name, row in ends.items() if name not in EXPECTED}
    assert {row["state"] for row in good.values()} == {"COMPLETED"}, good
    for name, message in EXPECTED.items():
        assert ends[name]["state"] == "FAILED", name
        assert re.search(message, str(ends[name]["message"])), (name, ends[name]["message"])
    assert ends["hangs"]["attempt"] == 2
    emitted = [json.loads(str(row["emitted"])) for n, row in good.items() if "good" in n]
    assert {values["color"] for values in emitted} == {"green"}
    assert len({values["pid"] for values in emitted}) == 18
    run = json.loads(commands("runs", "storm", "--json").stdout)[0]["id"]
    log = commands("logs", run, "--task", "good_3").stdout
    assert all(text in log for text in ("INFO root: good 3", "by python", "by the shell"))
    assert "before the fault" in commands("logs", run, "--task", "segfaults").stdout
    large = Path(commands.folder / "home" / "logs" / run / "prints_much.log")
    assert large.stat().st_size < 13_000_000


@pytest.mark.soak
def test_a_gigabyte_of_output_is_no_harm(commands: Commands, graph: Graph) -> None:
    assert storm(commands, graph, 100_000)["prints_much"]["message"] == "ValueError: printed"
