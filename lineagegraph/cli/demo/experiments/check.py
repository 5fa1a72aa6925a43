"""An independent check of the demo's sums with pandas, from the website's files."""

import zlib
from collections.abc import Iterable
from pathlib import Path

import pandas as pd

from lineagegraph.cli.demo.experiments.story import Hour, in_utc
from lineagegraph.errors import RunError

KEYS = ["region", "experiment", "bucket"]
SUMS = ["customers", "clicks", "latency_ms"]


def check_sums(project: Path, hours: Iterable[Hour]) -> pd.DataFrame:
    """Return the metrics of regions whose hours are all complete; raise `RunError` if wrong."""
    expected = _expected(project / "website", list(hours))
    regions = sorted(expected.index.get_level_values("region").unique())
    found = pd.read_parquet(project / "lake" / "aggregate_experiment_metrics")
    found["region"] = found["region"].astype(str)
    found = found[found["region"].isin(regions)].set_index(KEYS).sort_index()[SUMS]
    if not found.astype("int64").equals(expected.astype("int64")):
        raise RunError("the daily metrics differ from those that pandas computes")
    return found


def _expected(website: Path, hours: list[Hour]) -> pd.DataFrame:
    clicks = pd.concat([_clicks(website, hour) for hour in hours])
    experiments = pd.read_csv(website / "experiments.csv")
    seen = clicks.merge(experiments[experiments["is_running"]], on="page")
    names = seen["experiment"] + ":" + seen["customer_id"]
    seen["bucket"] = ["A" if zlib.crc32(name.encode()) % 2 == 0 else "B" for name in names]
    return (
        seen.groupby(KEYS)
        .agg(
            customers=("customer_id", "nunique"),
            clicks=("page", "size"),
            latency_ms=("latency_ms", "sum"),
        )
        .sort_index()
    )


def _clicks(website: Path, hour: Hour) -> pd.DataFrame:
    start = in_utc(hour)
    clicks = pd.read_csv(website / hour.region / f"{start:%Y-%m-%dT%H}.csv")
    at = pd.to_datetime(clicks["clicked_at"], utc=True)
    in_time = clicks[(at >= start) & (at < start + pd.Timedelta(hours=1))]
    return in_time.assign(region=hour.region)
