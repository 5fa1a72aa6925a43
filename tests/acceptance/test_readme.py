"""README's own example, saved and typed as it stands there."""

import re
from pathlib import Path

from lineagegraph.graph import Graph
from lineagegraph.neo4j_server import ServerAddress
from tests.acceptance.processes import Commands, shared
from tests.acceptance.worked_examples.console import read_steps

README = Path(__file__).parents[2] / "README.md"
# These stay, or open a browser; other tests cover them.
_STAYING = ("up", "browser", "notebook")


def test_the_example_of_the_readme_runs_as_typed(
    server: ServerAddress, graph: Graph, tmp_path: Path
) -> None:
    code = re.search(r"^```python\n(.*?)^```$", README.read_text(), re.MULTILINE | re.DOTALL)
    assert code is not None
    (tmp_path / "delays.py").write_text(code[1])
    commands = Commands(tmp_path, shared(server, tmp_path / "home"))
    typed = [step.command.partition(" #")[0].split()[1:] for step in read_steps(README)]
    example = typed[next(i for i, words in enumerate(typed) if words[:1] == ["sync"]) :]
    answers = {
        words[0]: commands(*words, seconds=300) for words in example if words[0] not in _STAYING
    }
    assert [*answers] == ["sync", "run", "lineage"]
    for answer in answers.values():
        assert answer.returncode == 0, answer.stdout + answer.stderr
    assert "lake/flights" in answers["lineage"].stdout
    assert "minutes_late" in answers["lineage"].stdout
