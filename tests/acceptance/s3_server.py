"""An S3 API on loopback, and what Spark needs to use it."""

import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from lineagegraph.neo4j_server.jars import jar_cache
from lineagegraph.neo4j_server.lock import Artifact, Lock
from lineagegraph.settings import Settings
from tests.acceptance.processes import until
from tests.acceptance.producers.environments import HERE, programs_of

_BUCKET = """
import boto3, sys
keys = {"aws_access_key_id": "a", "aws_secret_access_key": "b", "region_name": "us-east-1"}
boto3.client("s3", endpoint_url=sys.argv[1], **keys).create_bucket(Bucket="lake")
"""


@contextmanager
def s3_server(folder: Path) -> Iterator[dict[str, str]]:
    """Run a server with the bucket `lake`, and give the configuration of a session."""
    port = _free_port()
    url = f"http://127.0.0.1:{port}"
    python = str(programs_of("s3") / "python")
    with (folder / "s3.log").open("wb") as log:
        server = subprocess.Popen(
            [python, "-m", "moto.server", "-H", "127.0.0.1", "-p", str(port)],
            stdout=log,
            stderr=subprocess.STDOUT,
        )
    try:
        until(lambda: _answers(port), 120)
        subprocess.run([python, "-c", _BUCKET, url], check=True)
        yield {
            "spark.jars": ",".join(_jars()),
            "spark.hadoop.fs.s3a.endpoint": url,
            "spark.hadoop.fs.s3a.endpoint.region": "us-east-1",
            "spark.hadoop.fs.s3a.access.key": "a",
            "spark.hadoop.fs.s3a.secret.key": "b",
            "spark.hadoop.fs.s3a.path.style.access": "true",
            "spark.hadoop.fs.s3a.aws.credentials.provider": (
                "org.apache.hadoop.fs.s3a.SimpleAWSCredentialsProvider"
            ),
        }
    finally:
        server.kill()
        server.wait()


def _jars() -> list[str]:
    """Return the jars of `hadoop-aws` for Spark 4.2, fetched if they are not there."""
    lines = (HERE / "s3" / "jars.lock").read_text().splitlines()
    listed = [line.split() for line in lines]
    jars = tuple(Artifact(name, digest, int(size)) for name, digest, size in listed)
    cache = jar_cache(Settings())
    cache.fill(Lock("", "", jars))
    return [str(cache.file(each)) for each in jars]


def _free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


def _answers(port: int) -> bool:
    with suppress(OSError), socket.create_connection(("127.0.0.1", port)):
        return True
    return False
