"""Delta Lake's jars for the Spark of the lock file, in the user's cache of jars."""

from lineagegraph.neo4j_server.jars import jar_cache
from lineagegraph.neo4j_server.lock import Artifact, Lock
from lineagegraph.settings import Settings

# Delta's package on PyPI excludes Spark 4.2.1, its jars do not.
ARTIFACTS = (
    Artifact(
        "io.delta:delta-spark_4.2_2.13:4.4.0",
        "27d4fd8b1f879535c573ed1c718177d6a27f24d3e626ba02e216369725721ead",
        9515916,
    ),
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


def delta_conf() -> dict[str, str]:
    """The configuration of a session with Delta; fetch its jars if they are not there."""
    cache = jar_cache(Settings())
    cache.fill(Lock("", "", ARTIFACTS))
    return {
        "spark.jars": ",".join(str(cache.file(each)) for each in ARTIFACTS),
        "spark.sql.extensions": "io.delta.sql.DeltaSparkSessionExtension",
        "spark.sql.catalog.spark_catalog": "org.apache.spark.sql.delta.catalog.DeltaCatalog",
        "spark.databricks.delta.snapshotPartitions": "1",
        "spark.sql.shuffle.partitions": "1",
    }
