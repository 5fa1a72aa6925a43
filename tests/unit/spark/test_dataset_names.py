"""OpenLineage's names for paths and JDBC addresses."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lineagegraph.spark.dataset_names import DatasetName, name_jdbc, name_jdbc_target, name_path


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


KEY = "c4nary"

# Address, namespace and name of the table t. Each has the canary wherever a credential may be.
JDBC = [
    ("oracle:thin:scott/c4nary@//h:1521/svc", "oracle://h:1521", "svc.t"),
    ("oracle:thin:scott/c4nary@h:1522:sid", "oracle://h:1522", "sid.t"),
    ("oracle:oci:scott/c4nary@tns_alias", "oracle://tns_alias", "t"),
    ("oracle:thin:sc@tt/c4n@c4nary@//h/svc", "oracle://h:1521", "svc.t"),
    (
        "oracle:thin:s/c4nary@(DESCRIPTION=(ADDRESS=(PROTOCOL=tcp)(HOST=h)(PORT=1521))"
        "(CONNECT_DATA=(SERVICE_NAME=svc))(SECURITY=(MY_WALLET_DIRECTORY=/c4nary)))",
        "oracle://h:1521",
        "svc.t",
    ),
    ("oracle:thin:@tcps://h:2484/svc?keyStorePassword=a@c4nary", "oracle://h:2484", "svc.t"),
    ("oracle:thin:scott/c4nary@x?y@h:1521/svc", "oracle://unknown", "t"),
    (
        "sqlserver://h:1433;databaseName=db;user=c4nary;password=c4nary",
        "sqlserver://h:1433",
        "db.t",
    ),
    ("sqlserver://h\\i:1433;password={c4nary;x};database=db", "sqlserver://h\\i:1433", "db.t"),
    ("sqlserver://;serverName=h;databaseName=db;password=c4nary", "sqlserver://h", "db.t"),
    ("sqlserver://h:1433;user=a@c4nary;password=c4nary", "sqlserver://h:1433", "t"),
    ("postgresql://u:c4nary@h/db", "postgres://h:5432", "db.public.t"),
    ("postgresql://h/db?user=u&password=c4nary", "postgres://h:5432", "db.public.t"),
    ("postgresql://h/db?user=u@c4nary&password=c4nary", "postgres://h:5432", "db.public.t"),
    ("postgresql://u:c4nary@h1:5,h2/db", "postgres://h1:5,h2:5432", "db.public.t"),
    ("postgresql://u%40c4nary:c4nary@h/db", "postgres://h:5432", "db.public.t"),
    ("postgresql://u:c4nary@x@h/db", "postgres://h:5432", "db.public.t"),
    ("postgresql://u:c4nary/x@h/db", "postgres://h:5432", "db.public.t"),
    ("postgresql://u:12/c4nary@h/db", "postgres://h:5432", "db.public.t"),
    ("postgresql://u:x?c4nary@h/db", "postgres://h:5432", "db.public.t"),
    ("postgresql://u:x#c4nary@h/db", "postgres://h:5432", "db.public.t"),
    ("postgresql://u:c4nary:x@h/db", "postgres://h:5432", "db.public.t"),
    ("postgresql://c4nary:12?x@h/db", "postgres://unknown", "public.t"),
    ("POSTGRESQL://u:C4NARY@H/Db", "postgres://H:5432", "Db.public.t"),
    ("postgresql://[::1]:5/db?password=c4nary", "postgres://[::1]:5", "db.public.t"),
    ("postgresql://\u00fc:c4nary@h\u00f6st/db", "postgres://h\u00f6st:5432", "db.public.t"),
    ("mysql://u:c4nary@h1:3307,h2/db?useSSL=c4nary", "mysql://h1:3307,h2:3306", "db.t"),
    ("mysql://u:c4nary@h1,u:c4nary@h2/db", "mysql://h2:3306", "db.t"),
    ("mysql://address=(host=h)(port=3307)(user=c4nary)/db", "mysql://h:3307", "db.t"),
    ("mysql://(host=h,port=3307,password=c4nary)/db", "mysql://h:3307", "db.t"),
    ("mysql:loadbalance://u:c4nary@h/db", "mysql://h:3306", "db.t"),
    ("mariadb:replication://h1,h2/db?password=c4nary", "mysql://h1:3306,h2:3306", "db.t"),
    ("redshift:iam://c:eu-west-1/db?AccessKeyID=c4nary", "redshift://c.eu-west-1", "db.t"),
    ("redshift:iam://h:5439/db?SecretAccessKey=c4nary", "redshift://h:5439", "db.t"),
    ("teradata://h/DATABASE=db,USER=c4nary,PASSWORD=c4nary", "teradata://h", "db.t"),
    ("clickhouse://u:c4nary@h:8123/db", "clickhouse://h:8123", "db.t"),
    ("clickhouse:http://h:8123/db?password=c4nary", "clickhouse://h:8123", "db.t"),
    ("snowflake://a.eu/?db=D&schema=S&password=c4nary", "snowflake://a.eu", "D.S.t"),
    ("db2://h:50000/db:user=u;password=c4nary;", "db2://h:50000", "db.t"),
    ("h2:mem:db;USER=sa;PASSWORD=c4nary", "h2:mem:db", "t"),
    ("h2:tcp://h:9092/db;PASSWORD=c4nary", "h2://h:9092", "db.t"),
    ("sqlite:/d/x.db?key=c4nary", "sqlite:/d/x.db", "t"),
    ("hive2://h:10000/db;password=c4nary?a=c4nary#b=c4nary", "hive2://h:10000", "db.t"),
    ("trino://u:c4nary@h:8080/cat/sch?password=c4nary", "trino://h:8080", "cat.sch.t"),
    ("presto://h:8080/cat?password=c4nary", "presto://h:8080", "cat.t"),
    ("databricks://h:443;ConnCatalog=main;PWD=c4nary", "databricks://h:443", "main.t"),
    ("bigquery://https://x:443;ProjectId=p;OAuthPvtKey=c4nary", "bigquery", "p.t"),
    ("mongodb+srv://u:c4nary@h/db?authSource=c4nary", "mongodb+srv://h", "db.t"),
]
PATHS = [
    ("s3://c4nary:c4nary@bucket/a/b", "s3://bucket", "a/b"),
    ("s3a://AK:c4nary/x+c4nary@bucket/a", "s3://bucket", "a"),
    ("S3A://AK:c4nary?x@bucket/a", "s3://bucket", "a"),
    ("s3://bucket/a@b", "s3://bucket", "a@b"),
    ("gs://b/p?access_token=c4nary", "gs://b", "p"),
    ("wasbs://c@x.net/p?sv=1&sig=c4nary", "wasbs://c@x.net", "/p"),
    ("wasbs://c:c4nary@x.net/p", "wasbs://x.net", "/p"),
    ("abfss://c@x.net/p/sig=c4nary", "abfss://c@x.net", "p"),
    ("https://c4nary@h/p?x=c4nary#y=c4nary", "https://h", "/p"),
    ("HTTPS://u:c4nary@h/p", "https://h", "/p"),
    ("https://h/p;jsessionid=c4nary/x", "https://h", "/p/x"),
    ("ftp://u:c4nary@h/p", "ftp://h", "/p"),
    ("sftp://u:p/c4nary@h:22/p", "sftp://h:22", "/p"),
    ("sftp://u:x@c4nary/y@h/p", "sftp://unknown", "/"),
    ("webdav://u:p@c4nary@h/p", "webdav://h", "/p"),
    ("kafka://u:c4nary@b1:9092,b2:9092/topic", "kafka://b1:9092,b2:9092", "topic"),
    ("cassandra://u:c4nary@h:9042/ks", "cassandra://h:9042", "/ks"),
    ("mongodb+srv://u:c4nary@h/db?w=c4nary", "mongodb+srv://h", "/db"),
    ("hdfs:///data/x", "hdfs://", "/data/x"),
    ("file:/d/x?sig=c4nary", "file", "/d/x"),
]


@pytest.mark.parametrize(("url", "namespace", "name"), JDBC)
def test_no_form_of_jdbc_address_leaves_a_credential_in_a_name(url, namespace, name):
    found = name_jdbc(f"jdbc:{url}", "t")
    assert KEY not in repr(found).lower()
    assert found == [DatasetName(namespace, name)]


@pytest.mark.parametrize(("path", "namespace", "name"), PATHS)
def test_no_form_of_path_leaves_a_credential_in_a_name(path, namespace, name):
    found = name_path(path)
    assert KEY not in repr(found)
    assert (found.namespace, found.name) == (namespace, name)


PIECE = st.text(st.sampled_from("ab12@/?#:;&=,%40()[] \u00fc"), max_size=6)
SECRET = st.builds("{}c4nary{}".format, PIECE, PIECE)
KINDS = st.sampled_from(
    ["postgresql", "mysql", "sqlserver", "redshift:iam", "trino", "clickhouse", "db2", "nosuch"]
)


@given(KINDS, SECRET, st.sampled_from(["", "?ssl=true", ";a=b"]))
def test_no_password_is_ever_in_the_name_of_a_table(kind, secret, more):
    for url in (f"jdbc:{kind}://user:{secret}@h:1/db{more}", f"jdbc:oracle:thin:u/{secret}@//h/s"):
        assert KEY not in repr(name_jdbc(url, "t"))


@given(KINDS, st.sampled_from(["user", "password", "sslkey", "x"]), SECRET, st.sampled_from(";?"))
def test_no_parameter_is_ever_in_the_name_of_a_table(kind, key, secret, mark):
    assert KEY not in repr(name_jdbc(f"jdbc:{kind}://h:1/db{mark}{key}={secret}", "t"))


@given(st.sampled_from(["s3a", "gs", "https", "sftp", "wasbs", "abfss"]), SECRET)
def test_no_credential_is_ever_in_the_name_of_a_path(scheme, secret):
    for path in (f"{scheme}://user:{secret}@h/p", f"{scheme}://h/p?sig={secret}"):
        assert KEY not in repr(name_path(path))


@given(st.text(), st.text())
def test_every_text_has_a_name(url, table):
    name_path(url)
    for address in (url, f"jdbc:{url}", f"jdbc:postgresql:{url}"):
        name_jdbc(address, table)
        name_jdbc_target(address, table)


@given(
    st.sampled_from(["hdfs", "s3", "gs"]),
    st.from_regex(r"[a-z][a-z0-9.-]{0,9}", fullmatch=True),
    st.lists(st.from_regex(r"[\w @+,.-]{1,9}", fullmatch=True), min_size=1, max_size=3),
)
def test_a_path_without_credentials_keeps_its_whole_name(scheme, server, folders):
    found = name_path(f"{scheme}://{server}/" + "/".join(folders))
    assert found.namespace == f"{scheme}://{server}"
    assert found.name.lstrip("/") == "/".join(folders).lstrip("/")
