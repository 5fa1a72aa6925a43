"""One Spark session with its capture, and the events of each task in it."""

from pathlib import Path
from threading import Lock

from lineagegraph.model.runs.ids import new_id
from lineagegraph.spark.context import TaskContext
from lineagegraph.spark.sessions import SparkSessions

FINAL = ("COMPLETE", "FAIL", "ABORT")


class Captured:
    """One session, and the events of each task."""

    def __init__(self, home: Path, **more: str):
        self.home = home
        self.events, self._lock = [], Lock()
        self.refusing = False
        conf = {
            "spark.master": "local[2]",
            "spark.sql.warehouse.dir": str(home / "warehouse"),
            "spark.driver.memory": "512m",
            # The default since Spark 4.
            "spark.sql.execution.arrow.pyspark.enabled": "true",
            "spark.driver.extraJavaOptions": f"-Dderby.system.home={home}",
        }
        self.sessions = SparkSessions(conf | more, self._take)

    def _take(self, events):
        if self.refusing:
            raise ConnectionError("the graph is away")
        with self._lock:
            self.events.extend(events)

    def run(self, work, context=None):
        """Run as a task; return its application and its actions, each by its last event."""
        context = context or task()
        raised = None
        try:
            with self.sessions.task(context):
                work(self.sessions.session())
        except Exception as error:
            raised = error
        return Task(context, self.of(context), raised)

    def of(self, context):
        applications = {run_id(e) for e in self.events if parent_id(e) == context.run_id}
        return [e for e in self.events if run_id(e) in applications or parent_id(e) in applications]


class Task:
    def __init__(self, context, events, error):
        self.context, self.events, self.error = context, events, error

    @property
    def application(self):
        [last] = [e for e in self.events if kind(e) == "APPLICATION" and e["eventType"] in FINAL]
        return last

    @property
    def actions(self):
        return [e for e in self.events if kind(e) == "SQL_JOB" and e["eventType"] in FINAL]

    @property
    def action(self):
        [only] = self.actions
        return only

    def named(self, name):
        found = [e for e in self.actions if e["job"]["name"] == name]
        assert len(found) == 1, (name, found, repr(self.error), str(self.error))
        return found[0]


def task():
    return TaskContext(new_id(), "ns", "p.t", new_id(), "ns", "p")


def run_id(event):
    return event["run"]["runId"]


def parent_id(event):
    return event["run"]["facets"].get("parent", {}).get("run", {}).get("runId")


def kind(event):
    return event["job"]["facets"]["jobType"]["jobType"]


def said(facet):
    return {key: value for key, value in facet.items() if not key.startswith("_")}


def output(event):
    [only] = event["outputs"]
    return only


def names(datasets):
    return sorted(dataset["name"] for dataset in datasets)


def columns(event):
    """Return {column: {(dataset's last name, column): subtypes}} and the same of what decides."""
    facet = output(event)["facets"]["columnLineage"]
    fields = {name: sources(field["inputFields"]) for name, field in facet["fields"].items()}
    return fields, sources(facet["dataset"])


def sources(found):
    return {
        (Path(f["name"]).name, f["field"]): [t["subtype"] for t in f["transformations"]]
        for f in found
    }


def files_of(folder):
    """Return what readers see: Spark deletes `_temporary` whenever its threads come to it."""
    found = Path(folder).rglob("part-*")
    return [f for f in found if f.is_file() and "_temporary" not in f.parts]


def partitions(event):
    condition = output(event)["outputFacets"]["subset"]["outputCondition"]
    assert condition["type"] == "partition"
    return [partition["dimensions"] for partition in condition["partitions"]]
