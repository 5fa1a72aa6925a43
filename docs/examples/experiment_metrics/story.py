"""Who runs when, on which data: the two workflows, the three marketplaces and the tables."""

from dataclasses import dataclass
from datetime import date

# In the US a day of 23 hours, in the UK one of 25.
DAYS = (date(2026, 3, 8), date(2026, 10, 25))
REGIONS = {"US": "America/New_York", "UK": "Europe/London", "JP": "Asia/Tokyo"}


@dataclass(frozen=True)
class Task:
    """A task of a workflow; `inside` are the Spark application and the action that do its work."""

    name: str
    about: str
    minutes: int
    reads: tuple[str, ...]
    writes: str
    inside: tuple[str, ...] = ()


@dataclass(frozen=True)
class Workflow:
    """Tasks that run one after another, so many minutes after the end of each hour or day."""

    name: str
    about: str
    waits: int
    tasks: tuple[Task, ...]


INSERT = "execute_insert_into_datasource"
HOURLY = Workflow(
    "hourly_experiment_metrics_workflow",
    "Metrics of an hour, so that a bad experiment is seen at once.",
    5,
    (
        Task(
            "collect_clickstream",
            "Copy the clicks of the website to cloud storage.",
            3,
            ("page_views",),
            "clickstream",
        ),
        Task(
            "determine_experiment_samples",
            "Choose who sees which experiment, in bucket A or B.",
            4,
            ("clickstream",),
            "experiment_samples",
            ("experiment_samples_job",),
        ),
        Task(
            "calculate_current_hourly_customer_experiment_metrics",
            "Metrics of each customer in each running experiment.",
            8,
            ("clickstream", "experiment_samples"),
            "hourly_customer_metrics",
            ("customer_experiment_metrics_job", INSERT),
        ),
        Task(
            "calculate_hourly_experiment_metrics",
            "Metrics of each experiment, from those of its customers.",
            4,
            ("hourly_customer_metrics",),
            "hourly_experiment_metrics",
            ("experiment_metrics_job", INSERT),
        ),
    ),
)
DAILY = Workflow(
    "daily_experiment_metrics_workflow",
    "Metrics of a local day, and of all days of an experiment so far.",
    30,
    (
        Task(
            "calculate_daily_customer_metrics",
            "Metrics of each customer, from those of the hours of the day.",
            20,
            ("hourly_customer_metrics",),
            "daily_customer_metrics",
            ("daily_customer_metrics_job", INSERT),
        ),
        Task(
            "calculate_aggregate_experiment_metrics",
            "Metrics of each experiment, over all its days.",
            20,
            ("daily_customer_metrics",),
            "aggregate_experiment_metrics",
            ("experiment_metrics_job", INSERT),
        ),
    ),
)

# Which task of which region failed, on which day, and why.
FAILURE = ("JP", DAYS[-1], "calculate_aggregate_experiment_metrics")
REASON = "Job aborted due to stage failure: No space left on device"

# From the second day on, experiment_metrics_job counts customers as well.
CODE = {DAYS[0]: "4f2a91c", DAYS[-1]: "9be07d3"}
NEW_COLUMN = "customers bigint"

WEBSITE, LAKE = "kafka://clicks.example.com:9092", "s3://experiments"
# What each column is made from; without anything, nobody knows.
TABLES: dict[str, dict[str, str]] = {
    "page_views": {
        "customer_id string": "",
        "page string": "",
        "latency_ms bigint": "",
        "clicked_at timestamp": "",
    },
    "clickstream": {
        "customer_id string": "page_views.customer_id",
        "page string": "page_views.page",
        "latency_ms bigint": "page_views.latency_ms",
        "clicked_at timestamp": "page_views.clicked_at",
    },
    "experiment_samples": {
        "experiment string": "",
        "bucket string": "if(hash(clickstream.customer_id) % 2 = 0, 'A', 'B')",
        "customer_id string": "clickstream.customer_id",
    },
    "hourly_customer_metrics": {
        "experiment string": "experiment_samples.experiment",
        "bucket string": "experiment_samples.bucket",
        "customer_id string": "experiment_samples.customer_id",
        "hour timestamp": "date_trunc('hour', clickstream.clicked_at)",
        "clicks bigint": "count(clickstream.clicked_at)",
        "page_latency_ms double": "avg(clickstream.latency_ms)",
    },
    "hourly_experiment_metrics": {
        "experiment string": "hourly_customer_metrics.experiment",
        "bucket string": "hourly_customer_metrics.bucket",
        "hour timestamp": "hourly_customer_metrics.hour",
        "clicks bigint": "sum(hourly_customer_metrics.clicks)",
        "page_latency_ms double": "avg(hourly_customer_metrics.page_latency_ms)",
        NEW_COLUMN: "count(distinct hourly_customer_metrics.customer_id)",
    },
    "daily_customer_metrics": {
        "experiment string": "hourly_customer_metrics.experiment",
        "bucket string": "hourly_customer_metrics.bucket",
        "customer_id string": "hourly_customer_metrics.customer_id",
        "day date": "to_date(hourly_customer_metrics.hour)",
        "clicks bigint": "sum(hourly_customer_metrics.clicks)",
        "page_latency_ms double": "avg(hourly_customer_metrics.page_latency_ms)",
    },
    "aggregate_experiment_metrics": {
        "experiment string": "daily_customer_metrics.experiment",
        "bucket string": "daily_customer_metrics.bucket",
        "days bigint": "count(distinct daily_customer_metrics.day)",
        "clicks bigint": "sum(daily_customer_metrics.clicks)",
        "page_latency_ms double": "avg(daily_customer_metrics.page_latency_ms)",
        NEW_COLUMN: "count(distinct daily_customer_metrics.customer_id)",
    },
}
# Columns that say which rows of a table there are, but are in none of its own.
JOINED = {
    "hourly_customer_metrics": ("clickstream.customer_id", "experiment_samples.customer_id"),
}
