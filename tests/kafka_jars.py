"""Spark's connector to Kafka for the Spark at hand, in the user's cache of jars."""

import pyspark

from lineagegraph.neo4j_server.lock import Artifact
from tests.acceptance.conformance.both import fetched

_CONNECTOR = {
    "3.5": (
        Artifact(
            "org.apache.spark:spark-sql-kafka-0-10_2.12:3.5.7",
            "184f8bd4a3cd22299c49090d88b894f81fd7546b4ee64879519a0d76a685dbb8",
            432670,
        ),
        Artifact(
            "org.apache.spark:spark-token-provider-kafka-0-10_2.12:3.5.7",
            "9701914db5c6d09628b58d2d2c1ccd2c9ea28f32f83dd6cb21f98b8237531ff4",
            56810,
        ),
        Artifact(
            "org.apache.kafka:kafka-clients:3.4.1",
            "9d0a9058c8ede79db6e54ae378ed16fe8d1bead2894635a4aa6aa0b7981668c6",
            5050443,
        ),
        Artifact(
            "org.apache.commons:commons-pool2:2.11.1",
            "ea0505ee7515e58b1ac0e686e4d1a5d9f7d808e251a61bc371aa0595b9963f83",
            145516,
        ),
    ),
    # That of 4.2.1 is not on Maven Central yet.
    "4.2": (
        Artifact(
            "org.apache.spark:spark-sql-kafka-0-10_2.13:4.2.0",
            "64539c45e5d39f7ddb747312c239f38f5208d08c1a0ddf7d70beb2fbd9373705",
            494879,
        ),
        Artifact(
            "org.apache.spark:spark-token-provider-kafka-0-10_2.13:4.2.0",
            "641c7947afc8aa1189e433b7c2d305293993c8691bc1c2062d6d4f513b12518c",
            66617,
        ),
        Artifact(
            "org.apache.kafka:kafka-clients:3.9.2",
            "014b4ef36884478a932641818b080c36a8f8e2e92dc771e800c9d2694f4f83d8",
            9220052,
        ),
        Artifact(
            "org.apache.commons:commons-pool2:2.13.1",
            "f77a5060d6936a9144023584232f9de3f2248f1abfe156e9d31795f18770674f",
            156457,
        ),
    ),
}


def kafka_jars() -> str:
    """The connector's jars as the value of `spark.jars`; fetch those that are not there."""
    return fetched(*_CONNECTOR[pyspark.__version__.rpartition(".")[0]])
