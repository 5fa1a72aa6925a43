"""One Spark session with our capture and OpenLineage's listener."""

import json
import re
from pathlib import Path
from typing import Any

import pyspark
from pyspark import SparkContext

from lineagegraph.neo4j_server.jars import jar_cache
from lineagegraph.neo4j_server.lock import Artifact, Lock
from lineagegraph.settings import Settings
from tests.acceptance.captured import Captured
from tests.acceptance.conformance.facts import facts_of
from tests.acceptance.conformance.query import Query

LISTENER = Artifact(
    "io.openlineage:openlineage-spark_2.13:1.53.0",
    "5d84b0ae7e72909b5aae7ed87df878bf06b28d9ac3005765c3529d0a66dbae6f",
    43037532,
)
if pyspark.__version__ < "4":  # its Scala
    LISTENER = Artifact(
        "io.openlineage:openlineage-spark_2.12:1.53.0",
        "9fe28ee2e5b2cb535cd51b6572394bddeb684bf0c58650a698cf7724ce62d94d",
        43037167,
    )
Conf = dict[str, str]
_PART = re.compile(r"part-\d{5}-[\w.-]+")


def fetched(*artifacts: Artifact) -> str:
    """Return jars as the value of `spark.jars`; fetch those that the user's cache lacks."""
    cache = jar_cache(Settings())
    cache.fill(Lock("", "", artifacts))
    return ",".join(str(cache.file(each)) for each in artifacts)


class Both:
    """A session of its own JVM; `aliases` are names instead of namespaces that vary."""

    def __init__(self, home: Path, conf: Conf, aliases: dict[str, str] | None = None) -> None:
        end_jvm()
        self.home = home
        self._aliases = aliases or {}
        self._events, self._seen = home / "listener.ndjson", 0
        jars = ",".join(filter(None, (fetched(LISTENER), conf.get("spark.jars"))))
        self._captured = Captured(home, **conf | self._listening() | {"spark.jars": jars})

    def _listening(self) -> Conf:
        return {
            "spark.driver.memory": "1g",
            "spark.extraListeners": "io.openlineage.spark.agent.OpenLineageSparkListener",
            "spark.openlineage.transport.type": "file",
            "spark.openlineage.transport.location": str(self._events),
            "spark.openlineage.columnLineage.datasetLineageEnabled": "true",
            "spark.sql.shuffle.partitions": "1",
        }

    def prepare(self, work: Any) -> None:
        """Run what is not compared."""
        task = self._captured.run(lambda spark: work(spark, self.home))
        assert task.error is None, task.error
        self._listened()

    def run(self, query: Query) -> "Compared":
        """Run a query, and return what both tell about it."""
        task = self._captured.run(lambda spark: query.work(spark, self.home))
        listened = self._listened()  # also of one that failed: the next one has its own
        assert (task.error is not None) == query.fails, task.error
        facet = task.application["run"]["facets"].get("extractionError", {})
        kinds = (
            e["errorMessage"].removesuffix(" is not understood") for e in facet.get("errors", ())
        )
        ours = facts_of(task.actions, self._name)
        return Compared(ours, facts_of(listened, self._name), frozenset(kinds))

    def stop(self) -> None:
        """End the session and its JVM."""
        self._captured.sessions.stop()
        end_jvm()

    def _listened(self) -> list[dict[str, Any]]:
        if not self._events.exists():
            return []
        text = self._events.read_bytes()[self._seen :]
        self._seen += len(text)
        return [json.loads(line) for line in text.splitlines()]

    def _name(self, dataset: dict[str, Any]) -> str:
        namespace = self._aliases.get(dataset["namespace"], dataset["namespace"])
        name = dataset["name"] if namespace == "file" else f"{namespace}:{dataset['name']}"
        short = str(name).replace(f"{self.home}/", "").replace(str(self.home), ".")
        return _PART.sub("part-*", short)


class Compared:
    """What both tell about a query, and what ours says that it does not understand."""

    def __init__(self, ours: set[str], theirs: set[str], opaque: frozenset[str]) -> None:
        self.ours, self.theirs, self.opaque = ours, theirs, opaque

    @property
    def only_ours(self) -> set[str]:
        """What only our capture tells."""
        return self.ours - self.theirs

    @property
    def only_theirs(self) -> set[str]:
        """What only OpenLineage's listener tells."""
        return self.theirs - self.ours

    def of(self, verb: str) -> frozenset[str]:
        """Return the datasets that our capture says a query `reads` or `writes`."""
        found = (fact.partition(" ") for fact in self.ours)
        return frozenset(rest for first, _, rest in found if first == verb)


def end_jvm() -> None:
    """End the JVM that earlier sessions of this process left: it has its own class path."""
    if gateway := SparkContext._gateway:
        gateway.proc.kill()
        gateway.proc.wait()
