"""A parameter is never code of a shell or of another interpreter."""

import pytest

import lineagegraph as lg
from lineagegraph.errors import DefinitionError
from lineagegraph.model.pipelines.code_arguments import find_code_fault

CODE = [
    "sh -c | echo {day}",
    "bash -lc | echo {day}",
    "/bin/bash -eu -o pipefail -c | load '{day}'",
    "zsh -c | x{day}x",
    "bash -c -e | {day}",
    "busybox ash -c | {day}",
    "fish --command=echo{day}",
    "env A=1 sh -c | echo {day}",
    "env -S | sh -c {day}",
    "timeout 5 nohup sh -c | echo {day}",
    "docker exec db sh -c | echo {day}",
    "kubectl exec pod -- bash -c | echo {day}",
    "find . -exec sh -c | echo {day} | ;",
    'sh -c | exec "$@" | sh | bash | -c | {day}',
    "su postgres -c | psql {day}",
    "ssh host | load {day}",
    "ssh host load {day}",
    "watch load {day}",
    "python -c | print({day!r}) {day}",
    "python3.12 -uc | {day}",
    "python3 -W once -X dev -c | {day}",
    "python -cprint('{day}')",
    "uv run python -c | {day}",
    "perl -I lib -ne | print {day}",
    "perl -e | 1 | -e | {day}",
    "ruby -e | {day}",
    "node --eval={day}",
    "php -r | {day}",
    "awk | {{print {day}}} | file",
    "sed -n | s/x/{day}/e | file",
    "Rscript -e | {day}",
    "powershell.exe -NoProfile -Command | load | {day}",
    "cmd.exe /s /c load {day}",
    "sh {day}",
    "python {day}.py",
    "python -{day}",
    "{day} -c | echo {day}",
]
VALUES = [
    'sh -c | echo "$1" | sh | {day}',
    'bash -lc | load "$@" | bash | --day | {day}',
    "sh load.sh {day}",
    "sh -e load.sh -c {day}",
    "python jobs/{day}.py",
    "python job.py -c {day}",
    "python -m etl.load --config {day} -c {day}",
    "python -c | import sys; print(sys.argv) | {day}",
    "perl -e | print @ARGV | {day}",
    "env DAY={day} sh -c | echo $DAY",
    "awk -v day={day} | $1 == day | file",
    "awk -f report.awk {day}",
    "echo {day}",
    "echo sh {day}",
    "git -c user.name={day} log",
    "docker run --rm -e DAY={day} image load -c {day}",
    "spark-submit job.py {day}",
    "sh -c | echo {other}",
]


def words(line: str) -> list[str]:
    """Return the arguments of a line: words, and then the texts between bars."""
    first, *rest = line.split(" | ")
    return [*first.split(), *rest]


@pytest.mark.parametrize("line", CODE)
def test_a_parameter_in_code_is_refused(line: str) -> None:
    fault = find_code_fault(words(line), ["month", "day"])
    assert fault is not None
    assert '["sh", "-c", \'echo "$1"\', "sh", "{day}"]' in fault
    assert "LINEAGEGRAPH_PARAM_DAY" in fault
    assert "\n" not in fault


@pytest.mark.parametrize("line", VALUES)
def test_a_parameter_as_an_argument_is_not(line: str) -> None:
    assert find_code_fault(words(line), ["month", "day"]) is None


def test_a_definition_with_such_a_command_is_refused_where_it_is_stated() -> None:
    command = lg.command("load", ["sh", "-c", "echo {day}"])
    with pytest.raises(DefinitionError, match=r"test_code_arguments.py:\d+: .*would run as code"):
        lg.pipeline("p", tasks=[command], params={"day": "x"})
