"""Dated paths as partitions of one dataset."""

import pytest

from lineagegraph.spark.dataset_names import name_path
from lineagegraph.spark.trimming import trim, trimmers

ALL = trimmers("")


@pytest.mark.parametrize(
    ("path", "name", "partition"),
    [
        ("/lake/out/2026-11-22", "/lake/out", {"date": "2026-11-22"}),
        ("/lake/out/20261122", "/lake/out", {"date": "2026-11-22"}),
        ("/lake/out/22.11.2026", "/lake/out", {"date": "2026-11-22"}),
        ("/lake/out/20261122T0901Z", "/lake/out", {"date": "20261122T0901Z"}),
        ("/lake/out/2026/11/22", "/lake/out", {"date": "2026-11-22"}),
        ("/lake/out/2026/11", "/lake/out", {"month": "2026-11"}),
        ("/lake/out/202611", "/lake/out", {"month": "2026-11"}),
        ("/lake/out/2026-11/", "/lake/out", {"month": "2026-11"}),
        ("s3a://bucket/out/2026-11-22", "out", {"date": "2026-11-22"}),
        ("/lake/out/2026-11-22/land=de", "/lake/out", {"date": "2026-11-22", "land": "de"}),
        ("/lake/out/land=de/2026-11-22", "/lake/out", {"land": "de", "date": "2026-11-22"}),
        # No dates, or nothing would be left.
        ("/lake/out", "/lake/out", {}),
        ("/2026-11-22", "/2026-11-22", {}),
        ("/2026/11/22", "/2026/11/22", {}),
        ("/lake/2026/11", "/lake", {"month": "2026-11"}),
        ("/lake/out/20123321", "/lake/out/20123321", {}),
        ("/lake/out/orders_20261122", "/lake/out/orders_20261122", {}),
        ("/lake/out/2026-13", "/lake/out/2026-13", {}),
        ("/lake/out/2026", "/lake/out/2026", {}),
        ("/lake/2026-11-22/orders", "/lake/2026-11-22/orders", {}),
        ("/lake/out/orders.csv", "/lake/out/orders.csv", {}),
    ],
)
def test_a_date_at_the_end_of_a_path_is_a_partition(path, name, partition):
    trimmed = trim(name_path(path), ALL)
    assert (trimmed.name, trimmed.dimensions) == (name, partition)


def test_the_path_that_was_used_stays_known():
    assert trim(name_path("/lake/out/2026/11/22"), ALL).path == "/lake/out/2026/11/22"
    assert name_path("/lake/out/day=1").path == "/lake/out/day=1"


@pytest.mark.parametrize(
    ("disabled", "path", "name"),
    [
        ("date", "/lake/out/2026-11-22", "/lake/out/2026-11-22"),
        ("multidirdate; yearmonth", "/lake/out/2026/11", "/lake/out/2026/11"),
        ("yearMonth", "/lake/out/2026-11", "/lake/out/2026-11"),
        ("keyValue", "/lake/out/day=1", "/lake/out/day=1"),
        ("keyValue", "/lake/out/2026-11-22", "/lake/out"),
        ("date;unknown", "/lake/out/day=1", "/lake/out"),
    ],
)
def test_each_kind_can_be_disabled(disabled, path, name):
    assert trim(name_path(path), trimmers(disabled)).name == name


def test_a_version_of_a_published_table_is_not_trimmed():
    path = "/lake/2026/.11/0198f7a2-0000-7000-8000-000000000000"
    assert trim(name_path(path), ALL).name == "/lake/2026/11"
