"""OpenLineage's names for paths and JDBC addresses."""

import pytest

from lineagegraph.spark.dataset_names import DatasetName, name_jdbc, name_path


@pytest.mark.parametrize(
    ("path", "namespace", "name"),
    [
        ("file:/data/orders/", "file", "/data/orders"),
        ("file:///data/orders", "file", "/data/orders"),
        ("/data/orders", "file", "/data/orders"),
        ("file:/data/a b", "file", "/data/a b"),
        ("hdfs://nn:8020/data/orders", "hdfs://nn:8020", "/data/orders"),
        ("s3a://lake/silver/orders", "s3://lake", "silver/orders"),
        ("gs://lake/orders", "gs://lake", "orders"),
        ("file:/", "file", "/"),
    ],
)
def test_a_path_has_its_file_system_as_namespace(path, namespace, name):
    assert name_path(path) == DatasetName(namespace, name)


def test_partition_folders_at_the_end_are_a_partition_of_the_dataset():
    assert name_path("file:/d/sales/day=2024-01-01/origin=New%20York") == DatasetName(
        "file", "/d/sales", (("day", "2024-01-01"), ("origin", "New York"))
    )


def test_hive_s_null_partition_is_none():
    assert name_path("/d/x/k=__HIVE_DEFAULT_PARTITION__").partition == (("k", None),)


@pytest.mark.parametrize(
    ("url", "table", "namespace", "name"),
    [
        ("jdbc:postgresql://h/shop", "orders", "postgres://h:5432", "shop.public.orders"),
        ("jdbc:postgresql://h:6/shop?user=u", 's."o"', "postgres://h:6", "shop.s.o"),
        ("jdbc:mysql://u:secret@h/shop", "orders", "mysql://h:3306", "shop.orders"),
        ("jdbc:derby:memory:db;create=true", "t", "derby:memory:db", "t"),
    ],
)
def test_a_table_is_named_by_its_server_without_credentials(url, table, namespace, name):
    assert name_jdbc(url, table) == [DatasetName(namespace, name)]


def test_a_jdbc_query_names_the_tables_that_it_reads():
    query = "(SELECT * FROM s.a JOIN s.b USING (id)) q"
    found = name_jdbc("jdbc:postgresql://h/shop", query)
    assert [name.name for name in found] == ["shop.s.a", "shop.s.b"]


def test_versions_of_a_published_table_are_one_dataset():
    version = "0197a3c4-1d2e-7abc-8def-0123456789ab"
    assert name_path(f"file:/t/gold/.rides/{version}/day=1") == DatasetName(
        "file", "/t/gold/rides", (("day", "1"),), version
    )
    assert name_path("file:/t/gold/.rides/other").name == "/t/gold/.rides/other"
