"""Options of Java for what lives for minutes: half its work is to load classes and compile them.

Spark and Neo4j take their classes from `SPARK_CLASSES` and `NEO4J_CLASSES`, and load them
themselves if there is no such file, or another Java made it.
"""

import sys
from pathlib import Path

QUICK_JAVA = "-XX:+UseSerialGC -XX:TieredStopAtLevel=1 -XX:ReservedCodeCacheSize=240m"
SPARK_CLASSES = Path(sys.prefix) / "spark.jsa"
QUICK_SPARK = f"{QUICK_JAVA} -XX:SharedArchiveFile={SPARK_CLASSES} -Xlog:disable"
NEO4J_CLASSES = Path(sys.prefix) / "neo4j.jsa"
QUICK_NEO4J = f"{QUICK_JAVA} -XX:SharedArchiveFile={NEO4J_CLASSES} -Xlog:disable"
