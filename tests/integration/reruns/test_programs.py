"""Commands run the project's programs as they were when their version was read."""

import pytest

from lineagegraph.errors import RerunRefused


@pytest.fixture
def write(project):
    """Write programs below the project's folder."""

    def write(**texts):
        for name, text in texts.items():
            file = project.folder / name.replace("__", "/").replace("_", ".")
            file.parent.mkdir(exist_ok=True)
            file.write_text(text)

    return write


def printed(project, run_id, task="say"):
    return (project.settings.home / "logs" / run_id / f"{task}.log").read_text()


def test_an_edited_or_deleted_script_runs_again_as_it_was(project, write):
    write(say_sh="echo then > said")
    project.state('lg.pipeline("daily", tasks=[lg.command("say", ["sh", "say.sh"])])')
    run = project.run("daily")
    said = project.folder / "said"
    said.unlink()
    write(say_sh="echo now > said")
    again = project.rerun(run, policy="as_was")
    assert project.tasks(again) == {"say": "COMPLETED"}
    assert said.read_text() == "then\n", "it runs in the project, where its files stay"
    (project.folder / "say.sh").unlink()
    said.unlink()
    project.rerun(again, policy="as_was")
    assert said.read_text() == "then\n"


def test_a_script_that_a_run_finds_edited_is_that_of_its_version(project, write):
    write(say_sh="echo v1")
    project.state("""
        @lg.task
        def deploy():
            open("say.sh", "w").write("echo v2")

        say = lg.command("say", ["sh", "./say.sh"], after="deploy")
        lg.pipeline("daily", tasks=[deploy, say])
    """)
    run = project.run("daily")
    assert "v1" in printed(project, run)


def test_modules_that_a_script_imports_are_those_of_its_version(project, write):
    write(jobs__etl_py="from rates import RATE\nprint('rate', RATE)", jobs__rates_py="RATE = 1")
    root = project.folder
    project.state(
        f'lg.pipeline("daily", tasks=[lg.command("etl", ["python3", "{root}/jobs/etl.py"])])'
    )
    run = project.run("daily")
    # Of another size: Python takes its compiled file for one of the same second and size.
    write(jobs__rates_py="RATE = 20")
    assert "rate 1" in printed(project, project.rerun(run, policy="as_was"), "etl")
    assert "rate 20" in printed(project, project.rerun(run, policy="latest"), "etl")


@pytest.mark.parametrize(
    "command", ['["sh", "say.sh"]', '["sh", "-c", "cd . && sh say.sh"]', '["env", "./say.sh"]']
)
def test_files_that_it_would_find_in_the_project_are_compared(project, write, command):
    write(say_sh="#!/bin/sh\n. ./part.sh", part_sh="echo then")
    (project.folder / "say.sh").chmod(0o755)
    project.state(f'lg.pipeline("daily", tasks=[lg.command("say", {command})])')
    run = project.run("daily")
    write(part_sh="echo now")
    with pytest.raises(RerunRefused, match=r"task say: part.sh differs .* restore it there, or"):
        project.rerun(run, policy="as_was")
    write(part_sh="echo then")
    assert "then" in printed(project, project.rerun(run, policy="as_was"))


def test_a_program_that_changed_makes_a_version(project, write):
    write(say_sh=". ./part.sh", part_sh="echo then")
    text = 'lg.pipeline("daily", tasks=[lg.command("say", ["sh", "say.sh"])])'
    project.state(text)
    write(part_sh="echo now")
    project.state(text)
    versions = project.graph.query("MATCH (v:JobVersion) RETURN count(v) AS n", {})
    assert [row["n"] for row in versions] == [2]
