"""Milliseconds of the layered layout that widgets and pictures share: `python -m bench.layout`.

1,000 jobs write a table each and read four or five, 5,000 edges in all: in 20 steps of 50, each
reading from the step before, as in `bench.explorer`; and at random, with lines over many layers.
"""

import random
import statistics
import time

from lineagegraph.drawing.layout import Link, Size, lay_out

JOBS, EDGES, STEPS, TIMES = 1_000, 5_000, 20, 5


def main() -> None:
    """Measure, and print a table for RESULTS.md."""
    print("| graph | p50 ms | all |\n|---|---:|---|")
    for name, reads in (("in steps", in_steps()), ("at random", at_random())):
        links = [Link(f"job{n}", f"table{n}") for n in range(JOBS)]
        links += [Link(f"table{table}", f"job{job}") for table, job in reads]
        nodes = dict.fromkeys(node for link in links for node in link[:2])
        times = [measure({node: Size(180, 48) for node in nodes}, links) for _ in range(TIMES)]
        each = " ".join(f"{one:.0f}" for one in times)
        print(f"| {name} | {statistics.median(times):.0f} | {each} |")


def in_steps() -> list[tuple[int, int]]:
    """Return reads of tables of the step before."""
    wide = JOBS // STEPS
    steps = [(shift, job) for job in range(wide, JOBS) for shift in (0, 1, 7, 23, 31)]
    reads = [((job // wide - 1) * wide + (job + shift) % wide, job) for shift, job in steps]
    return reads[: EDGES - JOBS]


def at_random() -> list[tuple[int, int]]:
    """Return reads of any earlier tables."""
    chance = random.Random(1)
    pairs = (sorted(chance.sample(range(JOBS), 2)) for _ in range(EDGES - JOBS))
    return [(first, last) for first, last in pairs]


def measure(sizes: dict[str, Size], links: list[Link]) -> float:
    """Return the milliseconds of one layout."""
    began = time.perf_counter()
    lay_out(sizes, links)
    return (time.perf_counter() - began) * 1000


if __name__ == "__main__":
    main()
