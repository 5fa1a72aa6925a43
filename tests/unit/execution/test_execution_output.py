"""Output of tasks below Python, its limit, and its files."""

import os
import subprocess
import time

import psutil

from lineagegraph.execution.logs import Log, attempt_logs
from lineagegraph.execution.process_output import capture_process_output, printing
from lineagegraph.model.pipelines.definition import CommandTask, Task
from lineagegraph.settings import load_settings


def texts(path):
    return [line.split(" ", 1)[1] for line in path.read_text().splitlines()]


def test_output_of_programs_belongs_to_the_only_task_and_else_to_the_run(tmp_path, capfd):
    with (
        Log(tmp_path / "run.log") as rest,
        Log(tmp_path / "a.log") as a,
        Log(tmp_path / "b.log") as b,
        capture_process_output(rest),
    ):
        with printing("a", a):
            os.system("echo by system; echo password=hunter2 >&2")
            subprocess.run(["echo", "by subprocess"], check=True)
            os.write(1, b"no line end")
            with a.receiving():
                print("\nby print")
        with printing("a", a), printing("b", b):
            subprocess.run(["echo", "one of two"], check=True)
        os.system("echo between")
    os.write(1, b"afterwards\n")
    lines = texts(tmp_path / "a.log")
    # What Python prints has a way of its own, and may come before.
    below = [line for line in lines if line not in ("", "by print")]
    assert below == ["by system", "password=***", "by subprocess", "no line end"]
    assert "by print" in lines
    assert texts(tmp_path / "b.log") == []
    assert texts(tmp_path / "run.log") == ["[a | b] one of two", "between"]
    assert capfd.readouterr().out == "afterwards\n"


def test_a_command_that_prints_much_keeps_head_and_tail_in_a_small_file(bench):
    script = "echo first; yes 0123456789012345678901234567890 | head -c 60000000; echo last"
    zeros = "head -c 20000000 /dev/zero | tr '\\\\0' x"
    began = time.monotonic()
    bench.run(
        Task(name="lines", work=CommandTask(command=("sh", "-c", script))),
        Task(name="zeros", work=CommandTask(command=("sh", "-c", zeros))),
    )
    assert time.monotonic() - began < 60
    for name in ("lines", "zeros"):
        assert len(bench.log(name)) < 1.5 * load_settings().task_log_bytes
        assert " characters of output are left out here (task_log_bytes)" in bench.log(name)
    lines = bench.log("lines").splitlines()
    assert lines[0].endswith(" first")
    assert lines[-1].endswith(" last")


def test_each_attempt_has_a_file_and_leaves_no_program_beside_the_next(bench):
    script = ("sh", "-c", "echo $$; setsid sleep 304 & echo $!; exit 3")
    bench.run(Task(name="t", retries=1, retry_delay=0, work=CommandTask(command=script)))
    files = attempt_logs(bench.folder / "logs" / "t.log")
    assert list(files) == [1, 2]
    pids = [int(text) for file in files.values() for text in texts(file) if text.isdecimal()]
    assert len(set(pids)) == 4
    assert not [pid for pid in pids if _lives(pid)]


def _lives(pid):
    try:
        return "304" in psutil.Process(pid).cmdline()
    except psutil.Error:
        return False
