"""Ours: scores of the customers in the golden data set."""

from pathlib import Path

import lineagegraph as lg
from lineagegraph import on


@lg.task
def score(place: str, feeds: list):
    """Score the customers of the feeds; each feed must have metadata."""
    metadata = {feed: Path("metadata", feed).read_text().strip() for feed in feeds}
    customers = Path(place, "customers.csv").read_text().split()
    with Path("scores.csv").open("a") as scores:
        for customer in customers:
            scores.write(f"{customer},{metadata[customer.partition(',')[0]]}\n")


lg.pipeline(
    "churn",
    tasks=[score],
    params={"place": str, "feeds": list},
    trigger=lg.trigger(
        on.status("golden.customers", "COMPLETED", namespace="it-ops").where(on.key("rows") > 0),
        arguments={"place": "location", "feeds": "feeds"},
        reruns=2,
        rerun_delay="1s",
    ),
)
