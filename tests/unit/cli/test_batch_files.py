"""Which batch of a file a command means."""

from pathlib import Path

import pytest

from lineagegraph.cli.run.batch.files import choose_batch
from lineagegraph.errors import DefinitionError

FILE = Path("two.py")
ONE = [("n1", "b", 1)]
TWICE = [("n1", "b", 1), ("n2", "b", 2), ("n2", "c", 3)]


def test_the_only_batch_needs_no_name_and_those_of_one_name_are_told_apart_by_namespace() -> None:
    assert choose_batch(FILE, ONE, None) == 1
    assert choose_batch(FILE, ONE, "b") == 1
    assert choose_batch(FILE, TWICE, "n2:b") == 2
    assert choose_batch(FILE, TWICE, "c") == 3


@pytest.mark.parametrize(
    ("batches", "name", "refusal"),
    [
        ([], None, "two.py has no batch$"),
        (ONE, "zz", "two.py has no batch 'zz'; it has b$"),
        (TWICE, "b", r"several batches \(n1:b, n2:b, n2:c\): choose one with --batch"),
        (TWICE, None, "several batches"),
    ],
)
def test_no_batch_is_chosen_by_chance(
    batches: list[tuple[str, str, int]], name: str | None, refusal: str
) -> None:
    with pytest.raises(DefinitionError, match=refusal):
        choose_batch(FILE, batches, name)
