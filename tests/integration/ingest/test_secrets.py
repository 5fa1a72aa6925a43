"""Secrets in facets of events reach neither the graph nor what is given out."""

from lineagegraph.graph import Graph
from lineagegraph.ingest.extract import extract
from lineagegraph.ingest.record import record
from tests.events import run_event

CANARY = "c4n4ry-7f31"


def test_secrets_in_facets_about_settings_code_and_errors_are_masked(graph: Graph) -> None:
    event = run_event("load", "FAIL", outputs=(("s3://lake", "t"),))
    properties = {"spark.app.name": "x", "spark.hadoop.fs.s3a.secret.key": CANARY}
    event["run"]["facets"] = {
        "spark_properties": {"properties": properties},
        "environment-properties": {"environment-properties": {"env": {"DB_PASSWORD": CANARY}}},
        "errorMessage": {
            "message": f"cannot connect to postgresql://u:{CANARY}@h/db",
            "programmingLanguage": "python",
            "stackTrace": f"login(password='{CANARY}')",
        },
    }
    event["job"]["facets"] = {
        "sql": {"query": f"CREATE USER u PASSWORD '{CANARY}'"},
        "sourceCode": {"language": "python", "sourceCode": f"api_key = '{CANARY}'"},
    }
    graph.write(record, extract([event]))
    rows = graph.query("MATCH (n) RETURN properties(n) AS properties")
    texts = str(rows)
    assert "spark.app.name" in texts
    assert "s3://lake" in texts
    assert CANARY not in texts
