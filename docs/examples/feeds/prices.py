"""Ours: each feed as soon as it is there, and both together once a day has both."""

from pathlib import Path

import lineagegraph as lg
from lineagegraph import limit, on


def downloaded(feed: str):
    """New files of a feed are in the staging area."""
    completed = on.status(f"download.{feed}", "COMPLETED", namespace="market")
    return completed.where(on.key("files").not_empty())


@lg.task
def load(feed: str, files: list):
    """Add the new files only."""
    with Path("prices.csv").open("a") as prices:
        for file in files:
            prices.write("".join(f"{feed},{line}\n" for line in Path(file).read_text().split()))


@lg.task
def compare():
    """Compare all files of both feeds since the last time."""
    files = [file for one in lg.upstream() for file in one.payload["files"]]
    Path("compared.txt").write_text("\n".join(files) + "\n")


lg.pipeline(
    "prices",
    tasks=[load],
    params={"feed": str, "files": list},
    trigger=lg.trigger(
        downloaded("bloomberg") | downloaded("reuters"),
        limits=[limit.concurrency(1, otherwise="wait")],
    ),
)
lg.pipeline(
    "spreads",
    tasks=[compare],
    trigger=(downloaded("bloomberg") & downloaded("reuters")).within("12h"),
)
