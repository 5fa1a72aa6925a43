"""Drawings and comparisons of large or deep things end soon, and refuse what cannot be drawn."""

import time
from collections.abc import Iterator

import pytest

from lineagegraph.drawing.as_was import draw_as_was
from lineagegraph.queries.versions.as_was import AsWas
from lineagegraph.queries.versions.tasks_as_was import TaskAsWas
from lineagegraph.queries.versions.version_diff import diff_files
from lineagegraph.views.explorer import check_drawing


def task(path: str, *after: str) -> TaskAsWas:
    parent, _, name = path.rpartition(".")
    return TaskAsWas(path=path, name=name, runs="group", parent=parent or None, after=after)


def as_was(tasks: list[TaskAsWas]) -> AsWas:
    return AsWas(namespace="ns", job="p", tasks=tuple(tasks))


def chain(name: str, depth: int, *after: str) -> Iterator[TaskAsWas]:
    for level in range(depth):
        path = ".".join([name, *(f"t{n}" for n in range(level))])
        yield task(path, *(after if level == 0 else ()))


def test_chains_of_thousands_of_runs_are_drawn_with_the_line_between_their_ends() -> None:
    drawn = draw_as_was(as_was([*chain("a", 1500), *chain("b", 1500, "a")]))
    first, second = drawn.jobs
    assert [(edge.source, edge.target) for edge in drawn.edges] == [(first.key, second.key)]
    assert len(second.ancestors) == 1499
    assert second.ancestors[0].key == "b"


def test_large_groups_in_order_have_no_edge_for_each_pair_of_their_tasks() -> None:
    inside = [task(f"{group}.t{n}") for group in "ab" for n in range(1000)]
    drawn = draw_as_was(as_was([task("a"), task("b", "a"), *inside]))
    ends = {(edge.source, edge.target) for edge in drawn.edges}
    assert len(drawn.edges) == len(ends) == 1999
    assert {end for pair in ends for end in pair} == {one.path for one in inside}
    assert all(source < "b" < target for source, target in ends)


def test_small_groups_in_order_have_an_edge_for_each_pair() -> None:
    inside = [task(f"{group}.t{n}") for group in "ab" for n in range(3)]
    assert len(draw_as_was(as_was([task("a"), task("b", "a"), *inside])).edges) == 9


def test_files_of_very_many_short_lines_are_compared_soon() -> None:
    old = [str(n) for n in range(60_000)]
    new = [line if n % 2 else f"x{line}" for n, line in enumerate(old)]
    began = time.monotonic()
    assert changed(old, new) == ()
    assert changed(old, [*old, "end"])[-1] == "+end"
    assert "+here" in changed(old, [*old[:30_000], "here", *old[30_001:]])
    assert changed([], old)[-1] == "+59999"
    assert time.monotonic() - began < 10


def changed(old: list[str], new: list[str]) -> tuple[str, ...]:
    (found,) = diff_files({"f": "\n".join(old).encode()}, {"f": "\n".join(new).encode()})
    return found.lines


@pytest.mark.parametrize(
    ("boxes", "links", "why"),
    [
        (2, [(0, 2)], "no box 2"),
        (2, [(-1, 0)], "no box -1"),
        (10_001, [], "at most"),
        (2, [(0, 1)] * 50_001, "at most"),
        (3000, [*((n, n + 1) for n in range(2999)), *[(0, 2999)] * 3000], "too long"),
    ],
)
def test_a_layout_that_cannot_be_drawn_is_refused(
    boxes: int, links: list[tuple[int, int]], why: str
) -> None:
    with pytest.raises(ValueError, match=why):
        check_drawing(boxes, links)
    check_drawing(3000, [(n, n + 1) for n in range(2999)])
