from lineagegraph.model.pipelines.definition import CommandTask, Emit, SparkSubmitTask, Task
from lineagegraph.model.runs.states import RunState


def test_a_command_gets_parameters_in_its_arguments_and_its_environment(bench):
    script = (
        'echo "$1 $2 $LINEAGEGRAPH_PARAM_MONTH $LINEAGEGRAPH_PARAM_TAGS $EXTRA $LINEAGEGRAPH_CODE"'
    )
    work = CommandTask(
        command=("sh", "-c", script, "sh", "{month}", "{other}"), environment={"EXTRA": "m{month}"}
    )
    bench.run(Task(name="c", work=work), params={"month": 1, "tags": ["a", "b"]})
    assert f'1 {{other}} 1 ["a","b"] m1 {bench.folder / "code"}' in bench.log("c")


def test_a_command_knows_its_run_as_openlineage_producers_expect(bench):
    bench.run(bench.shell("c", "echo $LINEAGEGRAPH_RUN_ID $OPENLINEAGE_PARENT_ID; env"))
    run_id = bench.event("p.c", "START")["run"]["runId"]
    assert f"{run_id} ns/p.c/{run_id}" in bench.log("c")
    assert f"OPENLINEAGE_ROOT_PARENT_ID=ns/p/{bench.run_id}" in bench.log("c")


def test_a_command_emits_through_a_file(bench):
    script = (
        """echo '{"rows": 12}' >> $LINEAGEGRAPH_EMIT; echo '{"ok": true}' >> $LINEAGEGRAPH_EMIT"""
    )
    bench.run(bench.shell("c", script))
    assert bench.own("p.c", "COMPLETE")["emitted"] == {"rows": 12, "ok": True}


def test_a_command_that_fails_hands_on_what_it_emitted_before(bench):
    bench.run(bench.shell("c", """echo '{"rows": 12}' > $LINEAGEGRAPH_EMIT; exit 3"""))
    assert bench.own("p.c", "FAIL")["emitted"] == {"rows": 12}


def test_a_command_that_fails_with_half_a_value_says_its_exit_code(bench):
    bench.run(bench.shell("c", "echo '{' > $LINEAGEGRAPH_EMIT; exit 3"))
    assert "emitted" not in bench.own("p.c", "FAIL")
    assert "exited with 3" in bench.event("p.c", "FAIL")["run"]["facets"]["errorMessage"]["message"]


def test_what_a_command_emits_wrongly_fails_it_with_the_line(bench):
    assert bench.run(bench.shell("c", "echo rows=12 > $LINEAGEGRAPH_EMIT")) is RunState.FAILED
    message = bench.event("p.c", "FAIL")["run"]["facets"]["errorMessage"]["message"]
    assert "line 1 of the file LINEAGEGRAPH_EMIT is not JSON" in message


def test_what_a_command_emits_undeclared_fails_it(bench):
    script = """echo '{"rows": 12.5}' > $LINEAGEGRAPH_EMIT"""
    rows = Emit(name="rows", type="int")
    assert bench.run(bench.shell("c", script, emits=(rows,))) is RunState.FAILED
    message = bench.event("p.c", "FAIL")["run"]["facets"]["errorMessage"]["message"]
    assert "emitted value 'rows': expected int, got 12.5" in message


def test_a_command_that_fails_says_its_exit_code_and_its_last_lines(bench):
    script = "i=0; while [ $i -lt 30 ]; do echo line $i; i=$((i+1)); done; exit 3"
    bench.run(bench.shell("c", script))
    error = bench.event("p.c", "FAIL")["run"]["facets"]["errorMessage"]
    assert error["message"].endswith("exited with 3")
    assert error["stackTrace"].splitlines() == [f"line {i}" for i in range(10, 30)]
    assert "line 0\n" in bench.log("c")


def test_a_command_that_is_not_there_fails_its_task(bench):
    assert bench.run(bench.command("c", "no-such-program-here")) is RunState.FAILED
    message = bench.event("p.c", "FAIL")["run"]["facets"]["errorMessage"]["message"]
    assert "no-such-program-here" in message


def test_a_command_over_its_time_fails(bench):
    assert bench.run(bench.shell("c", "sleep 60", timeout=0.1)) is RunState.FAILED
    assert bench.own("p.c", "FAIL")["reason"] == "TIMEOUT"


def test_both_outputs_of_a_command_are_in_its_log(bench):
    bench.run(bench.shell("c", "echo one; echo two >&2; printf three"))
    lines = bench.log("c").splitlines()
    assert [line.split(" ", 1)[1] for line in lines] == ["one", "two", "three"]


def test_a_spark_submit_that_cannot_start_is_a_failed_task_with_its_output(bench):
    task = Task(name="s", work=SparkSubmitTask(file="missing-{day}.py"))
    assert bench.run(task, params={"day": "3"}) is RunState.FAILED
    assert "missing-3.py" in bench.log("s")


def test_a_stored_version_with_such_a_command_fails_with_the_same_line(bench, tmp_path):
    evil = f"$(touch {tmp_path}/owned)"
    work = CommandTask(command=("sh", "-c", "echo {day}"))
    assert bench.run(Task(name="c", work=work), params={"day": evil}) is RunState.FAILED
    message = bench.event("p.c", "FAIL")["run"]["facets"]["errorMessage"]["message"]
    assert "{day} would run as code of sh: pass it as an argument" in message
    assert not (tmp_path / "owned").exists()
