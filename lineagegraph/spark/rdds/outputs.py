"""The folder that a job of an RDD writes, from Spark's own function of its last stage.

`saveAsTextFile` and its like are all `SparkHadoopWriter.write`, whose function holds the
configuration of the output. Only the JVM's reflection reaches it: seen with Spark 4.2.
"""

from collections.abc import Iterator
from typing import Any

from lineagegraph.spark.jvm import class_name, fields_of

_CONFIGURATIONS = ("HadoopMapRedWriteConfigUtil", "HadoopMapReduceWriteConfigUtil")
_FOLDER = "mapreduce.output.fileoutputformat.outputdir"


def folder_written(stage: Any) -> str | None:
    """Return the folder that the last stage of a job writes; None if it writes none."""
    return next(_folders(stage.func()), None) if class_name(stage) == "ResultStage" else None


def _folders(function: Any) -> Iterator[str]:
    for value in fields_of(function):
        if class_name(value) in _CONFIGURATIONS:
            for conf in fields_of(value):
                if "Serializable" in class_name(conf) and (found := conf.value().get(_FOLDER)):
                    yield str(found)
