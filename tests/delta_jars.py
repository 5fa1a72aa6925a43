"""Delta Lake's jars for the Spark at hand, in the user's cache of jars."""

import pyspark

from lineagegraph.neo4j_server.jars import jar_cache
from lineagegraph.neo4j_server.lock import Artifact, Lock
from lineagegraph.settings import Settings

_COMMON = (
    Artifact(
        "io.delta:delta-storage:4.4.0",
        "c46735481fa8e326b0957be02b4420cbcab4b325bb08009b7f2045a95133f1cc",
        113863,
    ),
    Artifact(
        "io.delta:delta-kernel-api:4.4.0",
        "ee9b5a14ac3b7efdff4d61a58478fe8eb0e5a3fbca43889dca7290795fe79a11",
        2838619,
    ),
    Artifact(
        "io.delta:delta-kernel-defaults:4.4.0",
        "225c975199e4718b38ee5b7e6da7f19e9585024262b2cec2656b32151a856b0b",
        227185,
    ),
    Artifact(
        "io.delta:delta-kernel-unitycatalog:4.4.0",
        "cea22dfb4ac562b3cd27bf652697750e8336009d73fb06631363aaaad5345ffa",
        43048,
    ),
)
_DELTA = {
    "3.5": (
        Artifact(
            "io.delta:delta-spark_2.12:3.3.3",
            "4912bf902a1c453aba3bd838ff212dedd357155212f9bb37a6b47d97f2827ebc",
            7123349,
        ),
        Artifact(
            "io.delta:delta-storage:3.3.3",
            "45ad193053fd30cebe6d9ab1889873cde39b223a0f210e00ebee8b6642476901",
            32289,
        ),
    ),
    "4.0": (
        Artifact(
            "io.delta:delta-spark_4.0_2.13:4.4.0",
            "49e899667168b9412f83cbe894ce264107d7b896d6c5e12edca4e216845c1104",
            9469662,
        ),
        *_COMMON,
    ),
    "4.1": (
        Artifact(
            "io.delta:delta-spark_4.1_2.13:4.4.0",
            "75a9400986853c061f5109f012547de2545a5759e5e752e5ef633dabe16a4f10",
            9471929,
        ),
        *_COMMON,
    ),
    # Delta's package on PyPI excludes Spark 4.2.1, its jars do not.
    "4.2": (
        Artifact(
            "io.delta:delta-spark_4.2_2.13:4.4.0",
            "27d4fd8b1f879535c573ed1c718177d6a27f24d3e626ba02e216369725721ead",
            9515916,
        ),
        *_COMMON,
    ),
}


def delta_conf() -> dict[str, str]:
    """The configuration of a session with Delta; fetch its jars if they are not there."""
    artifacts = _DELTA[pyspark.__version__.rpartition(".")[0]]
    cache = jar_cache(Settings())
    cache.fill(Lock("", "", artifacts))
    return {
        "spark.jars": ",".join(str(cache.file(each)) for each in artifacts),
        "spark.sql.extensions": "io.delta.sql.DeltaSparkSessionExtension",
        "spark.sql.catalog.spark_catalog": "org.apache.spark.sql.delta.catalog.DeltaCatalog",
        "spark.databricks.delta.snapshotPartitions": "1",
        "spark.sql.shuffle.partitions": "1",
    }
