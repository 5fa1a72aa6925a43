"""Seconds of the ten tasks of docs/tasks.md, on a demo's graph: `python -m bench.tasks HOME`.

HOME is the `LINEAGEGRAPH_HOME` of a `lineagegraph demo`, whose Neo4j runs; rules and runs are
added to it. In a real JupyterLab in Chromium: of each cell until what it shows is there, and of
each click until what it leads to is. Typing is not done but counted: five characters a second, and
two seconds for a person to find and do a click; a word in a form is as much as a click.
"""

import argparse
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

from playwright.sync_api import Locator, expect, sync_playwright

from tests.acceptance.notebook.lab import Lab, Notebook
from tests.chromium import chromium

PATIENCE_MS = 120_000
CHARACTERS_A_SECOND = 5
SECONDS_A_CLICK = 2
FIRST = "import lineagegraph as lg\n\ngraph = lg.connect()"
BEGUN = """
import time

other = lg.start("nyc.delays")
while other.state != "RUNNING":
    time.sleep(1)
"""
Clicks = Callable[[Locator], Iterator[int]]


class Task(NamedTuple):
    """A cell, and the clicks on what it shows: each step yields how many it was."""

    name: str
    cell: str
    clicks: Clicks
    before: str = ""


class Took(NamedTuple):
    """What a task took of a person, and of the machine."""

    name: str
    characters: int
    clicks: int
    seconds: float

    @property
    def whole(self) -> float:
        """With the typing and the clicking."""
        by_hand = self.characters / CHARACTERS_A_SECOND + self.clicks * SECONDS_A_CLICK
        return by_hand + self.seconds


def nothing(shown: Locator) -> Iterator[int]:
    """Only look."""
    expect(shown).not_to_be_empty()
    yield 0


def look_at_why(shown: Locator) -> Iterator[int]:
    expect(shown.get_by_role("treeitem").first).to_be_visible()
    yield 0


def run_again(shown: Locator) -> Iterator[int]:
    shown.locator(".lg-one").first.click()
    shown.get_by_role("tab", name="Run again").click()
    yield 2
    shown.get_by_role("button", name="With today's code").click()
    shown.get_by_role("button", name="Start", exact=True).click()
    expect(shown.locator(".lg-plan")).to_contain_text("is rerun")
    yield 2


def stop(shown: Locator) -> Iterator[int]:
    state = shown.locator(".lg-bar .lg-state")
    shown.get_by_role("button", name="Stop").click()
    expect(state).to_have_text("KILLED")
    yield 1


def watch(shown: Locator) -> Iterator[int]:
    expect(shown.locator(".lg-bar .lg-state")).to_have_text("RUNNING")
    yield 0


def compare(shown: Locator) -> Iterator[int]:
    shown.get_by_role("tab", name="Compare").click()
    expect(shown.locator(".lg-diff")).to_contain_text("version")
    yield 1


def make_rule(shown: Locator) -> Iterator[int]:
    shown.get_by_role("button", name="New trigger").click()
    form = shown.get_by_role("form", name="rule")
    form.get_by_label("name", exact=True).fill(f"by hand {time.time():.0f}")
    yield 2
    for label, text, job in (
        ("starts pipeline", "report", "nyc.report"),
        ("job", "load", "nyc.load"),
    ):
        form.get_by_role("combobox", name=label, exact=True).fill(text)
        form.get_by_role("option").filter(has_text=job).first.click()
        yield 2
    expect(form).to_contain_text("It would")
    shown.get_by_role("button", name="Create", exact=True).click()
    expect(form).to_have_count(0)
    yield 1


def look_at_blame(shown: Locator) -> Iterator[int]:
    expect(shown.locator("tbody tr").first).to_be_visible()
    yield 0


TASKS = (
    Task("sources of a column", 'graph.lineage("monthly_delay#arr_delay", down=0)', nothing),
    Task("impact of a column", 'graph.impact("flights.csv#dep_delay")', nothing),
    Task("a job that did not run", 'graph.trigger_panel("nyc.report")', look_at_why),
    Task("rerun of Tuesday's run", 'graph.history("nyc.delays")', run_again),
    Task(
        "stop a job",
        'graph.follow("nyc.delays")',
        stop,
        BEGUN,
    ),
    Task("run with another parameter", 'run = lg.start("nyc.delays", late_after=30)\nrun', watch),
    Task("compare two runs", 'graph.history("nyc.delays")', compare),
    Task("create a trigger", "graph.trigger_panel()", make_rule),
    Task(
        "stale data and its cause",
        'board = graph.freshness()\nboard.expect("worst_routes", lg.freshness("1d"))\nboard',
        look_at_blame,
    ),
    Task("critical path of a day", 'graph.critical_path("today")', nothing),
)


def main() -> None:
    """Measure, and print a table for docs/tasks.md."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("home", type=Path)
    given = parser.parse_args()
    expect.set_options(timeout=PATIENCE_MS)
    environment = {"LINEAGEGRAPH_HOME": str(given.home)}
    with (
        tempfile.TemporaryDirectory() as folder,
        sync_playwright() as driver,
        closing(Lab(Path(folder), environment)) as lab,
    ):
        browser = driver.chromium.launch(executable_path=chromium(), args=["--no-sandbox"])
        notebook = lab.open(browser.new_page(), FIRST)
        notebook.page.set_default_timeout(PATIENCE_MS)
        notebook.run(0)
        print("| task | typed | clicks | seconds of the machine | in all |")
        print("| --- | --: | --: | --: | --: |")
        for number, task in enumerate(TASKS, 1):
            took = measure(notebook, task)
            print(
                f"| {number}. {took.name} | {took.characters} | {took.clicks} "
                f"| {took.seconds:.1f} | {took.whole:.0f} |",
                flush=True,
            )
        notebook.run(notebook.add("run.stop()"))


def measure(notebook: Notebook, task: Task) -> Took:
    """Do a task."""
    if task.before:
        notebook.run(notebook.add(task.before), seconds=300)
    number = notebook.add(task.cell)
    began = time.monotonic()
    clicks = sum(task.clicks(notebook.run(number)))
    return Took(task.name, len(task.cell), clicks, time.monotonic() - began)


if __name__ == "__main__":
    main()
