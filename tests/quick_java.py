"""Options of Java for what lives for minutes: half its work is to load classes and compile them.

Spark takes its classes from `SPARK_CLASSES`, and loads them itself where there is no such file, or
another Java made it.
"""

import sys
from pathlib import Path

QUICK_JAVA = "-XX:+UseSerialGC -XX:TieredStopAtLevel=1 -XX:ReservedCodeCacheSize=240m"
SPARK_CLASSES = Path(sys.prefix) / "spark.jsa"
QUICK_SPARK = f"{QUICK_JAVA} -XX:SharedArchiveFile={SPARK_CLASSES} -Xlog:disable"
