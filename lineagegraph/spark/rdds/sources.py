"""The files and topics behind an RDD, from the RDDs that it is made of."""

from collections.abc import Iterator
from itertools import islice
from typing import Any

from lineagegraph.spark.file_paths import stable_paths
from lineagegraph.spark.jvm import class_name, java_class, sequence
from lineagegraph.spark.kafka.offsets import addresses_of_rdd
from lineagegraph.spark.rdd_roots import roots_of

_MOST_FILES = 300
_NEW_API = ("NewHadoopRDD", "WholeTextFileRDD", "BinaryFileRDD")
MADE_HERE = ("ParallelCollectionRDD", "EmptyRDD")


def paths_of(rdd: Any) -> tuple[list[str], list[str]]:
    """Return the paths or URLs that an RDD reads, and the kinds of sources not understood."""
    paths: list[str] = []
    topics: list[str] = []
    unknown: list[str] = []
    for root in roots_of(rdd):
        kind = class_name(root)
        if kind == "FileScanRDD":
            paths += _scanned(root)
        elif kind in ("HadoopRDD", *_NEW_API):
            paths += _hadoop(root, kind)
        elif found := addresses_of_rdd(root):
            topics += found
        elif kind not in MADE_HERE:
            unknown.append(kind)
    data = [path for path in paths if "/_delta_log/" not in path]
    return [*stable_paths(data), *topics], unknown


def _scanned(rdd: Any) -> Iterator[str]:
    # py4j passes no array of a class of its own to a method that takes `Object[]`.
    files = (file for partition in sequence(rdd.filePartitions()) for file in partition.files())
    return (str(file.toPath().toString()) for file in islice(files, _MOST_FILES))


def _hadoop(rdd: Any, kind: str) -> list[str]:
    if kind in _NEW_API:
        found = rdd.getConf().get("mapreduce.input.fileinputformat.inputdir")
        return str(found).replace("\\,", ",").split(",") if found else []
    inputs = java_class("org.apache.hadoop.mapred.FileInputFormat", rdd)
    return [path.toString() for path in inputs.getInputPaths(rdd.getConf())]
