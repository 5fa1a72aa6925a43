"""The files behind an RDD, from the RDDs that it is made of."""

from collections.abc import Iterator
from itertools import islice
from typing import Any

from lineagegraph.spark.file_paths import stable_paths
from lineagegraph.spark.jvm import class_name, java_class, sequence

_MOST_RDDS = 200
_MOST_FILES = 300
_NEW_API = ("NewHadoopRDD", "WholeTextFileRDD", "BinaryFileRDD")
MADE_HERE = ("ParallelCollectionRDD", "EmptyRDD")


def paths_of(rdd: Any) -> tuple[list[str], list[str]]:
    """Return the paths of the files that an RDD reads, and the kinds of sources not understood."""
    paths: list[str] = []
    unknown: list[str] = []
    for root in _roots(rdd):
        kind = class_name(root)
        if kind == "FileScanRDD":
            paths += _scanned(root)
        elif kind in ("HadoopRDD", *_NEW_API):
            paths += _hadoop(root, kind)
        elif kind not in MADE_HERE:
            unknown.append(kind)
    data = [path for path in paths if "/_delta_log/" not in path]
    return stable_paths(data), unknown


def _roots(rdd: Any) -> Iterator[Any]:
    """Yield the RDDs that depend on none; a checkpoint has cut off what was before it."""
    seen: set[int] = set()
    left = [rdd]
    while left and len(seen) < _MOST_RDDS:
        each = left.pop()
        if (id_ := each.id()) in seen:
            continue
        seen.add(id_)
        above = [dependency.rdd() for dependency in sequence(each.dependencies())]
        left += above
        if not above:
            yield each


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
