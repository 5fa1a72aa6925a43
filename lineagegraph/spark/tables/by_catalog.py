"""Tables of Delta, Iceberg or another catalog, whose own commit lets readers see a version."""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import copy_context
from functools import partial
from threading import Event, Thread
from typing import Any

from pyspark.sql import DataFrame
from tenacity import Retrying, retry_if_exception, stop_after_attempt, wait_random_exponential

from lineagegraph.errors import TableRefused
from lineagegraph.model.runs.ids import new_id
from lineagegraph.spark.gateway import is_connect
from lineagegraph.spark.tables.delta_folder import DeltaFolder, keeps_delta_folders
from lineagegraph.spark.tables.guard import check_may_publish, has_guard
from lineagegraph.spark.tables.place import SESSION_CATALOG, tables_folder

_POLL_SECONDS = 0.5
_ATTEMPTS = 20
_LONGEST_WAIT = 5.0
# Another writer committed first; the rows are computed again.
_LOST_RACE = re.compile(
    r"Concurrent(?:Append|DeleteRead|DeleteDelete|Transaction|Write|Modification)\w*Exception"
    r"|DELTA_CONCURRENT_\w+|MetadataChangedException|ProtocolChangedException"
    r"|DELTA_(?:METADATA|PROTOCOL)_CHANGED|CommitFailedException|FileAlreadyExistsException"
)


def publish_by_catalog(df: DataFrame, table: str, mode: str, columns: tuple[str, ...]) -> None:
    """Write a table in the format of the session's catalog.

    The guard is asked before, each half second of the writing, and at the end: if it refuses, the
    write is cancelled. Writers that lose a race against another one's commit write again.
    """
    if keeps_delta_folders(df.sparkSession):
        place = DeltaFolder.of(tables_folder(df.sparkSession), table)
        write = partial(_write_folder, df, place, mode, columns)
    else:
        write = partial(_write_table, df, table, mode, columns)
    attempts = Retrying(
        retry=retry_if_exception(_has_lost_race),
        stop=stop_after_attempt(1 if mode == "error" else _ATTEMPTS),
        wait=wait_random_exponential(multiplier=0.2, max=_LONGEST_WAIT),
        reraise=True,
    )
    attempts(_write_guarded, df.sparkSession, write)


def _write_guarded(session: Any, write: Callable[[], None]) -> None:
    check_may_publish()
    if not has_guard():
        write()
        return
    with _cancelled_by_guard(session):
        write()
    check_may_publish()


def _write_folder(df: DataFrame, place: DeltaFolder, mode: str, columns: tuple[str, ...]) -> None:
    if mode == "error" and place.exists(df.sparkSession):
        raise TableRefused(f"table {place.name} exists already: publish it with mode overwrite")
    place.refuse_links()
    _writer(df, "delta", mode, columns).save(place.location)
    place.register(df.sparkSession)


def _write_table(df: DataFrame, table: str, mode: str, columns: tuple[str, ...]) -> None:
    _writer(df, format_of(df.sparkSession), mode, columns).saveAsTable(table)


def _writer(df: DataFrame, form: str | None, mode: str, columns: tuple[str, ...]) -> Any:
    writer = df.write.mode(mode)
    # Without a format, a table in the catalog of Delta is one of Parquet files.
    writer = writer.format(form) if form else writer
    if form == "delta" and mode == "overwrite":
        writer = writer.option("overwriteSchema", "true")
    return writer.partitionBy(*columns) if columns else writer


def format_of(session: Any) -> str | None:
    """Return the format of tables in a session's current catalog; None for Spark's default."""
    catalog = session.conf.get("spark.sql.defaultCatalog", None) or SESSION_CATALOG
    class_name = session.conf.get(f"spark.sql.catalog.{catalog}", None) or ""
    return next((form for form in ("delta", "iceberg") if f".{form}." in class_name), None)


def _has_lost_race(error: BaseException) -> bool:
    return _LOST_RACE.search(str(error)) is not None


@contextmanager
def _cancelled_by_guard(session: Any) -> Iterator[None]:
    """Cancel the Spark work of this thread once the guard refuses, and raise its error."""
    tag = f"lg-publish-{new_id()}"
    over, refusals = Event(), list[BaseException]()

    def watch() -> None:
        while not over.wait(_POLL_SECONDS):
            try:
                check_may_publish()
            except BaseException as refusal:
                refusals.append(refusal)
                while not over.is_set():
                    _cancel(session, tag)
                    over.wait(_POLL_SECONDS)

    watching = Thread(target=copy_context().run, args=(watch,), name="publish_guard", daemon=True)
    tagging = session if is_connect(session) else _ContextTags(session.sparkContext)
    tagging.addTag(tag)
    watching.start()
    try:
        yield
    except BaseException as error:
        raise (refusals[0] if refusals else error) from error
    finally:
        over.set()
        watching.join()
        tagging.removeTag(tag)
    if refusals:
        raise refusals[0]


class _ContextTags:
    """The job tags of a thread, with the names that a Connect session has for them."""

    def __init__(self, context: Any) -> None:
        self.addTag, self.removeTag = context.addJobTag, context.removeJobTag


def _cancel(session: Any, tag: str) -> None:
    if is_connect(session):
        session.interruptTag(tag)
    else:
        session.sparkContext.cancelJobsWithTag(tag)
