"""No form of address leaves a user, a password or a key in the name of a dataset."""

import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lineagegraph.secrets import mask, mask_text, names_secret
from lineagegraph.spark.dataset_names import name_jdbc, name_path

C = "c4n4ry"
JDBC = {
    f"jdbc:postgresql://u:{C}@h/shop": "postgres://h:5432 shop.public.t",
    f"jdbc:postgresql://{C}:{C}@h:6,u:{C}@h2:7/shop": "postgres://h2:7 shop.public.t",
    f"jdbc:postgresql://h1:1,h2:2/shop?user={C}&password={C}": "postgres://h1:1,h2:2 shop.public.t",
    f"jdbc:postgresql://u:{C}/{C}@h/shop": "postgres://h:5432 shop.public.t",
    f"jdbc:postgresql://u:{C}?{C}@h/shop": "postgres://h:5432 shop.public.t",
    f"jdbc:postgresql://u:{C}#{C}@h/shop": "postgres://h:5432 shop.public.t",
    f"jdbc:postgresql://u:a@{C}@h/shop": "postgres://h:5432 shop.public.t",
    f"jdbc:postgresql://u:%40{C}@h/shop": "postgres://h:5432 shop.public.t",
    f"jdbc:postgresql://[::1]:5433/shop?password={C}": "postgres://[::1]:5433 shop.public.t",
    f"jdbc:postgresql:shop?user=u&password={C}": "postgresql:shop t",
    f"JDBC:POSTGRESQL://u:{C}@H/shop": "postgres://H:5432 shop.public.t",
    f"jdbc:mysql://u:{C}@h/shop": "mysql://h:3306 shop.t",
    f"jdbc:mysql://u:{C}@h1,u:{C}@h2:7/shop": "mysql://h2:7 shop.t",
    f"jdbc:mysql://address=(host=h)(port=7)(user={C})(password={C})/shop": "mysql://h:7 shop.t",
    f"jdbc:mysql://(host=h,port=7,user={C},password={C})/shop": "mysql://h:7 shop.t",
    f"jdbc:mysql://h/shop?user=u&password={C}": "mysql://h:3306 shop.t",
    f"jdbc:mysql:loadbalance://u:{C}@h1,h2/shop": "mysql://h1:3306,h2:3306 shop.t",
    f"jdbc:mariadb://h/shop?user=u&password={C}&x=a@b": "mysql://unknown t",
    f"jdbc:mariadb:replication://u:{C}@h/shop": "mysql://h:3306 shop.t",
    f"jdbc:oracle:thin:scott/{C}@//h:1521/XE": "oracle://h:1521 XE.t",
    f"jdbc:oracle:thin:scott/{C}@h:1521:XE": "oracle://h:1521 XE.t",
    f"jdbc:oracle:thin:scott/{C}@h:1521/XE": "oracle://h:1521 XE.t",
    f'jdbc:oracle:thin:scott/"{C}@x"@//h:1521/XE': "oracle://h:1521 XE.t",
    f"jdbc:oracle:oci:scott/{C}@alias": "oracle://alias t",
    f"jdbc:oracle:oci8:scott/{C}": "oracle://unknown t",
    "jdbc:oracle:thin:@//h:1521/XE": "oracle://h:1521 XE.t",
    f"jdbc:oracle:thin:u/{C}@(DESCRIPTION=(ADDRESS=(PROTOCOL=TCP)(HOST=h)(PORT=9))"
    "(CONNECT_DATA=(SERVICE_NAME=s.x)))": "oracle://h:9 s.x.t",
    f"jdbc:oracle:thin:u/{C}@tcps://h:1522/svc?wallet_location={C}": "oracle://h:1522 svc.t",
    f"jdbc:sqlserver://h:1433;databaseName=shop;user=u;password={C}": "sqlserver://h:1433 shop.t",
    f"jdbc:sqlserver://h;password={{a;databaseName={C}}};database=shop": "sqlserver://h shop.t",
    f"jdbc:sqlserver://h\\inst:1433;user={C};password={C};": "sqlserver://h\\inst:1433 t",
    f"jdbc:sqlserver://u:{C}@h:1433;databaseName=shop": "sqlserver://h:1433 shop.t",
    f"jdbc:jtds:sqlserver://h:1433/shop;user=u;password={C}": "jtds://h:1433 shop.t",
    f"jdbc:redshift://u:{C}@h:5439/dev": "redshift://h:5439 dev.t",
    f"jdbc:redshift:iam://u:{C}@cluster:eu-west-1/dev?AccessKeyID={C}": ("redshift://unknown t"),
    f"jdbc:redshift:iam://h:5439/dev?AccessKeyID={C}&SecretAccessKey={C}": (
        "redshift://h:5439 dev.t"
    ),
    f"jdbc:redshift:iam://h/dev;AccessKeyID={C};SessionToken={C}": "redshift://h dev.t",
    f"jdbc:teradata://h/DATABASE=shop,USER=u,PASSWORD={C}": "teradata://h shop.t",
    f"jdbc:teradata://h/USER={C},PASSWORD={C},LOGDATA={C}": "teradata://h t",
    f"jdbc:clickhouse://u:{C}@h:8123/shop": "clickhouse://h:8123 shop.t",
    f"jdbc:ch:https://h:8443/shop?user=u&password={C}": "ch://h:8443 shop.t",
    f"jdbc:snowflake://a.snowflakecomputing.com/?user=u&password={C}&db=x": (
        "snowflake://a.snowflakecomputing.com x.t"
    ),
    f"jdbc:db2://h:50000/SHOP:user=u;password={C};": "db2://h:50000 SHOP.t",
    f"jdbc:h2:tcp://h/~/shop;USER=sa;PASSWORD={C}": "h2://h ~/shop.t",
    f"jdbc:h2:mem:shop;USER=sa;PASSWORD={C}": "h2:mem:shop t",
    f"jdbc:sqlite:/data/x.db?key={C}": "sqlite:/data/x.db t",
    f"jdbc:hive2://h1:1,h2:2/shop;principal={C}?conf={C}#v={C}": "hive2://h1:1,h2:2 shop.t",
    f"jdbc:trino://u:{C}@h:443/hive/shop?password={C}": "trino://h:443 hive.shop.t",
    f"jdbc:databricks://h:443/default;UID=token;PWD={C}": "databricks://h:443 default.t",
    f"jdbc:mongodb+srv://u:{C}@h/shop": "mongodb+srv://h shop.t",
    f"jdbc:cassandra://h:9042/shop?password={C}": "cassandra://h:9042 shop.t",
    f"not an address with {C}": "jdbc: t",
}
PATHS = {
    f"s3a://AKIA:{C}@lake/a/b": "s3://lake a/b",
    f"s3a://AKIA:{C}/{C}@lake/a/b": "s3://lake a/b",
    f"S3N://key:{C}@lake/a": "s3://lake a",
    f"gs://{C}@lake/a": "gs://lake a",
    f"wasbs://box@acc.blob.core.windows.net/a?sv=1&sig={C}": (
        "wasbs://box@acc.blob.core.windows.net /a"
    ),
    f"abfss://box@acc.dfs.core.windows.net/a?sig={C}": "abfss://box@acc.dfs.core.windows.net a",
    f"abfss://u:{C}@acc.dfs.core.windows.net/a": "abfss://acc.dfs.core.windows.net a",
    f"wasbs://box@acc.blob.core.windows.net/a/sv=1&sig={C}": (
        "wasbs://box@acc.blob.core.windows.net /a"
    ),
    f"https://u:{C}@h/data.csv?token={C}#{C}": "https://h /data.csv",
    f"sftp://u:{C}@h:22/in": "sftp://h:22 /in",
    f"hdfs://u:{C}@nn:8020/a": "hdfs://nn:8020 /a",
    f"s3://lake/t/token={C}": "s3://lake t",
    f"s3://lake/t/sig={C}": "s3://lake t",
    "s3://lake/mail/a@b.org": "s3://lake mail/a@b.org",
}


@pytest.mark.parametrize(("url", "name"), JDBC.items())
def test_a_table_is_named_without_credentials(url: str, name: str) -> None:
    (found,) = name_jdbc(url, "t")
    assert f"{found.namespace} {found.name}" == name
    assert C not in repr(found)


@pytest.mark.parametrize(("path", "name"), PATHS.items())
def test_a_path_is_named_without_credentials(path: str, name: str) -> None:
    found = name_path(path)
    assert f"{found.namespace} {found.name}" == name
    assert C not in repr(found)


ODD = st.text(string.ascii_letters + string.digits + "@/:;,()%!$&+*~^|<>é", max_size=8)
KINDS = st.sampled_from(["postgresql", "mysql", "sqlserver", "clickhouse", "redshift:iam", "trino"])


@given(kind=KINDS, before=ODD, after=ODD)
def test_a_password_of_any_letters_is_never_in_a_table_s_name(
    kind: str, before: str, after: str
) -> None:
    url = f"jdbc:{kind}://u:{before}{C}{after}@host/shop?password={before}{C}{after}"
    assert C not in repr(name_jdbc(url, "t"))


@given(before=ODD, after=ODD)
def test_a_password_of_any_letters_is_never_in_a_path_s_name(before: str, after: str) -> None:
    for scheme in ("s3a", "https", "sftp", "gs"):
        assert C not in repr(name_path(f"{scheme}://u:{before}{C}{after}@host/a?sig={C}"))


@given(st.text(max_size=60))
def test_naming_never_raises(text: str) -> None:
    name_path(text)
    name_jdbc(text, "t")
    name_jdbc(f"jdbc:{text}", "t")


@pytest.mark.parametrize(
    "name",
    [
        "spark.hadoop.fs.s3a.secret.key",
        "spark.hadoop.fs.s3a.access.key",
        "fs.azure.account.key.x.blob.core.windows.net",
        "fs.azure.sas.box.acc.blob.core.windows.net",
        "spark.hadoop.fs.s3a.session.token",
        "javax.jdo.option.ConnectionPassword",
        "AWS_SECRET_ACCESS_KEY",
        "GITHUB_TOKEN",
        "DB_PASS",
        "apiKey",
        "spark.kafka.sasl.jaas.config",
    ],
)
def test_a_name_of_a_secret_is_recognized(name: str) -> None:
    assert names_secret(name)
    assert mask({name: C}) == {name: "***"}


@pytest.mark.parametrize(
    "name",
    [
        "spark.sql.shuffle.partitions",
        "spark.hadoop.fs.s3a.aws.credentials.provider",
        "primary_key",
        "max_tokens",
        "spark.app.name",
        "author",
    ],
)
def test_an_ordinary_name_is_no_secret(name: str) -> None:
    assert mask({name: "value"}) == {name: "value"}


@pytest.mark.parametrize(
    "text",
    [
        f"postgresql://u:{C}@h/db is away",
        f"jdbc:oracle:thin:scott/{C}@//h:1521/XE",
        f"password={C} user=u",
        f"login failed: {{'password': '{C}'}}",
        f'{{"api_key": "{C}"}}',
        f"CREATE USER u IDENTIFIED BY '{C}'",
        f"ALTER ROLE u WITH PASSWORD '{C}'",
        f"Authorization: Bearer {C}-abcdefgh",
        f"https://h/x?sig={C}&sv=1",
        f"-----BEGIN RSA PRIVATE KEY-----\n{C}\n-----END RSA PRIVATE KEY-----",
    ],
)
def test_a_secret_in_a_text_is_masked(text: str) -> None:
    assert C not in mask_text(text)


def test_a_text_without_secrets_stays_as_it_is() -> None:
    for text in ("SELECT key, author FROM t WHERE k = 'v'", "http://h:1/a?b=c", "a: b", ""):
        assert mask_text(text) == text
