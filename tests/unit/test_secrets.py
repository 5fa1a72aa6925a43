"""One module recognises and masks secrets."""

from time import monotonic

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lineagegraph import secrets
from lineagegraph.secrets import MASK, mask, mask_text, names_secret

KEY = "c4nary9x"
TEXTS = [
    "https://u:{}@h/p",
    "https://u:a/{}@h/p",
    "https://{}@h/p",
    "jdbc:oracle:thin:scott/{}@//h:1521/x",
    "jdbc:sqlserver://h;user=a;password={};db=x",
    "password={}",
    "password = '{}'",
    "password:'{}",
    '"password": "{}"',
    '{{\\"password\\": \\"{}\\"}}',
    "{{password={}, user=x}}",
    "FATAL: no login: password={}, host=h",
    "mysql --db-password {} -h h",
    "Authorization: Bearer {}",
    "{{'Authorization': 'Basic {}=='}}",
    "x?a=b&sig={}&c=d",
    "CREATE USER x IDENTIFIED BY '{}'",
    "OPTIONS (url 'jdbc:postgresql://h/d', password '{}')",
    "COPY t CREDENTIALS 'aws_secret_access_key={}'",
    "spark.hadoop.fs.s3a.secret.key={}",
    "DefaultEndpointsProtocol=https;AccountKey={};EndpointSuffix=x",
    'options="password={}"',
    "AKIA{}ABCDEFGH",
    "-----BEGIN RSA PRIVATE KEY-----\n{}\n-----END RSA PRIVATE KEY-----",
    "eyJhbGciOiJIUzI1NiJ9.{}.abc",
]
PLAIN = [
    "s3://bucket/a@v1/x",
    "abfss://c@account.dfs.core.windows.net/p",
    "git+https://github.com/x/y@abc",
    "ssh://git@github.com/x",
    "SELECT token FROM t WHERE t.token = u.token",
    "token = get_token()",
    "password authentication failed for user",
    "spark.sql.shuffle.partitions=8",
    "basic authentication is required",
    "Done. PASS=5 WARN=0",
    "the key 'abc' is missing",
    "unique_key = 'id'",
]


@pytest.mark.parametrize("text", TEXTS)
def test_a_text_loses_its_secret_and_twice_masked_is_the_same(text):
    masked = mask_text(text.format(KEY if "AKIA" not in text else KEY.upper()))
    assert KEY not in masked.lower()
    assert MASK in masked
    assert mask_text(masked) == masked


@pytest.mark.parametrize("text", PLAIN)
def test_a_text_without_a_secret_stays(text):
    assert mask_text(text) == text


@pytest.mark.parametrize(
    "name",
    [
        "password",
        "DB_PASSWORD",
        "MYSQL_PWD",
        "DB_PASS",
        "fs.s3a.access.key",
        "fs.azure.account.key.x.net",
        "sig",
        "AWS_ACCESS_KEY_ID",
        "aws_session_token",
        "apiKey",
        "accesskey",
        "api_key",
        "clientSecret",
        "sas_token",
        "auth",
        "GOOGLE_APPLICATION_CREDENTIALS",
        "spark.authenticate.secret",
        "privateKey",
        "signature",
    ],
)
def test_a_name_of_a_secret_is_recognised(name):
    assert names_secret(name)


@pytest.mark.parametrize(
    "name",
    [
        "key",
        "unique_key",
        "partition_key",
        "tokenizer",
        "author",
        "pattern",
        "path",
        "passed",
        "pass",
    ],
)
def test_a_similar_name_is_no_secret(name):
    assert not names_secret(name)


def test_values_are_masked_by_their_names_and_by_the_options_before_them():
    assert mask({"DB_PASSWORD": KEY, "n": 1}) == {"DB_PASSWORD": MASK, "n": 1}
    assert mask([{"name": "API_TOKEN", "value": KEY}]) == [{"name": "API_TOKEN", "value": MASK}]
    assert mask(("psql", "--password", KEY, "x")) == ("psql", "--password", MASK, "x")
    assert mask({"args": ["--token", KEY]}) == {"args": ["--token", MASK]}
    assert mask({"secrets": [KEY, {"pin": 1}]}) == {"secrets": [MASK, {"pin": 1}]}


def test_a_tag_that_is_named_as_a_secret_and_only_true_or_false_stays():
    tags = [{"key": "auth", "value": "true"}, {"key": "contains_credentials", "value": "False"}]
    assert mask(tags) is tags
    assert mask([{"key": "auth", "value": KEY}]) == [{"key": "auth", "value": MASK}]


def test_columns_that_are_named_as_secrets_keep_their_facets():
    lineage = {"fields": {"password": {"inputFields": [{"name": "t", "field": "token"}]}}}
    assert mask(lineage) is lineage
    schema = {"fields": [{"name": "password", "type": "string"}]}
    assert mask(schema) is schema


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


@given(VALUES)
def test_every_value_can_be_masked_and_twice_is_the_same(value):
    assert mask(mask(value)) == mask(value)


@given(st.text(st.sampled_from("pasword=:;'\"@/& -token://"), max_size=60))
def test_texts_full_of_marks_can_be_masked(text):
    assert isinstance(mask_text(text), str)


def test_texts_without_secrets_are_remembered_and_those_with_one_never(monkeypatch):
    monkeypatch.setattr(secrets, "_clean", set())
    monkeypatch.setattr(secrets, "_MOST_CLEAN", 3)
    for _ in range(2):
        assert mask_text("https://ann:pw1@db/x") == "https://***@db/x"
        assert mask_text("https://db/x") == "https://db/x"
        assert mask({"password": "https://db/x", "url": "https://db/x"}) == {
            "password": "***",
            "url": "https://db/x",
        }
    assert secrets._clean == {"https://db/x"}
    for number in range(10):
        mask_text(f"s3://bucket/{number}")
        assert len(secrets._clean) <= 3
    mask_text("plain " * 100)
    assert all(len(text) <= 500 for text in secrets._clean)


@pytest.mark.parametrize(
    "text", ["a://" * 200_000 + " @", "@" + "a://" * 200_000, "@" + "jdbc:oracle:x:" * 50_000]
)
def test_a_long_text_is_masked_in_time_in_proportion(text: str) -> None:
    began = monotonic()
    assert mask_text(text) == text
    # It took minutes.
    assert monotonic() - began < 10
