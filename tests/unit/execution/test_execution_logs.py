import logging
import re
import sys
from contextlib import redirect_stdout
from io import StringIO
from threading import Barrier, Thread

from lineagegraph.execution.logs import Log, capture_task_output


def test_tasks_that_print_at_the_same_time_have_a_log_each(bench):
    barrier = Barrier(2, timeout=10)

    def chatter(name):
        for i in range(50):
            barrier.wait()
            print(f"{name} {i}")

    bench.run(*(bench.task(lambda n=n: chatter(n), name=n) for n in "ab"))
    for name in "ab":
        texts = [line.split(" ", 1)[1] for line in bench.log(name).splitlines()]
        assert texts == [f"{name} {i}" for i in range(50)]


def test_a_log_has_prints_errors_and_logging_with_times(bench):
    def talk():
        print("out")
        print("err", file=sys.stderr)
        logging.getLogger("mine").info("said")

    bench.run(bench.task(talk))
    lines = bench.log("talk").splitlines()
    assert all(re.match(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+00:00 ", line) for line in lines)
    assert [line.split(" ", 1)[1] for line in lines] == ["out", "err", "INFO mine: said"]


def test_a_line_is_in_the_file_as_soon_as_it_is_printed(bench):
    seen = []

    def talk():
        print("now")
        seen.append(bench.log("talk"))

    bench.run(bench.task(talk))
    assert "now" in seen[0]


def test_what_a_tasks_own_threads_print_is_in_the_runs_log(bench):
    def spawn():
        thread = Thread(target=lambda: print("from a thread"))
        thread.start()
        thread.join()

    bench.run(bench.task(spawn))
    assert "from a thread" in bench.log("run")


def test_the_runs_log_tells_how_each_task_ended(bench):
    bench.run(bench.group("g", bench.task(lambda: 1 / 0, name="t")))
    text = bench.log("run")
    assert "g.t starts" in text
    assert "g.t FAILED: USER_CODE, ZeroDivisionError: division by zero" in text


def test_a_task_called_run_does_not_share_the_runs_log(bench):
    bench.run(bench.task(lambda: print("hello"), name="run"))
    assert "hello" not in bench.log("run")
    assert "hello" in bench.log("run@task")
    assert bench.own("p.run", "COMPLETE")["log"].endswith("run@task.log")


def test_a_name_cannot_lead_out_of_the_log_folder(bench):
    bench.run(bench.task(lambda: print("hello"), name="../../x"))
    assert "hello" in bench.log("..%2F..%2Fx")


def test_afterwards_output_and_logging_are_as_before(bench):
    before = (sys.stdout, sys.stderr, logging.root.level, list(logging.root.handlers))
    bench.run(bench.task(lambda: None, name="t"))
    assert (sys.stdout, sys.stderr, logging.root.level, list(logging.root.handlers)) == before


def test_a_run_beside_cells_leaves_what_they_put_in_place_of_stdout_alone(tmp_path):
    before, buffer = sys.stdout, StringIO()
    with Log(tmp_path / "run.log") as log:
        beside = capture_task_output(log)
        with redirect_stdout(buffer):
            beside.__enter__()
            print("in the cell")
        beside.__exit__(None, None, None)
    assert sys.stdout is before
    assert buffer.getvalue() == "in the cell\n"


def test_a_run_that_ends_while_a_cell_captures_does_not_end_that(tmp_path):
    buffer = StringIO()
    with Log(tmp_path / "run.log") as log:
        beside = capture_task_output(log)
        beside.__enter__()
        with redirect_stdout(buffer):
            beside.__exit__(None, None, None)
            print("in the cell")
    assert buffer.getvalue() == "in the cell\n"


def test_a_task_called_worker_does_not_share_the_log_of_the_worker_process(bench):
    bench.run(bench.task(lambda: print("hello"), name="worker"))
    assert "hello" in bench.log("worker@task")
