"""Which columns are made of which: answers written by hand."""

from itertools import pairwise

import httpx2 as httpx

from tests.acceptance.experiment_metrics.asking import read

CLICKS = "datasetField:s3://experiments:aggregate_experiment_metrics:clicks"
LATENCY = "datasetField:kafka://clicks.example.com:9092:page_views:latency_ms"
CUSTOMER = "datasetField:s3://experiments:clickstream:customer_id"


def test_clicks_are_sums_of_counts_of_the_times_of_clicks(client: httpx.Client) -> None:
    answer = read(client, "/api/v1/column-lineage", nodeId=CLICKS)
    made_of = {
        (node["data"]["dataset"], node["data"]["field"]): {
            (source["dataset"], source["field"]) for source in node["data"]["inputFields"]
        }
        for node in answer["graph"]
    }
    line = [
        ("aggregate_experiment_metrics", "clicks"),
        ("daily_customer_metrics", "clicks"),
        ("hourly_customer_metrics", "clicks"),
        ("clickstream", "clicked_at"),
        ("page_views", "clicked_at"),
    ]
    assert all(below in made_of[above] for above, below in pairwise(line))


def test_a_change_of_the_latency_reaches_every_average(client: httpx.Client) -> None:
    answer = read(client, "/api/v1/column-lineage/impact", nodeId=LATENCY)
    reached = {(c["dataset"], c["field"]): (c["distance"], c["direct"]) for c in answer["columns"]}
    assert reached == {
        ("clickstream", "latency_ms"): (1, True),
        ("hourly_customer_metrics", "page_latency_ms"): (2, True),
        ("hourly_experiment_metrics", "page_latency_ms"): (3, True),
        ("daily_customer_metrics", "page_latency_ms"): (3, True),
        ("aggregate_experiment_metrics", "page_latency_ms"): (4, True),
    }


def test_a_column_that_is_only_joined_on_reaches_the_others_indirectly(
    client: httpx.Client,
) -> None:
    answer = read(client, "/api/v1/column-lineage/impact", nodeId=CUSTOMER)
    reached = {(c["dataset"], c["field"]): c["direct"] for c in answer["columns"]}
    assert reached["experiment_samples", "bucket"]
    assert reached["daily_customer_metrics", "customer_id"]
    assert not reached["hourly_customer_metrics", "clicks"]
    assert not reached["aggregate_experiment_metrics", "page_latency_ms"]
