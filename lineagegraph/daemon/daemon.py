"""The daemon: APScheduler gives the beat, the graph decides, workers run.

All daemons do the same; the graph resolves conflicts between them.
"""

import os
import socket
import time
from collections.abc import Callable
from contextlib import suppress
from datetime import datetime, timedelta
from functools import partial
from threading import Lock

import structlog
from apscheduler.executors.pool import ThreadPoolExecutor
from apscheduler.schedulers.background import BackgroundScheduler

from lineagegraph.admin.audit import forget_entries, record_settings
from lineagegraph.admin.retention import delete_code, delete_logs, sweep
from lineagegraph.backfills.advance import advance_backfills
from lineagegraph.daemon.clock_watch import ClockWatch
from lineagegraph.daemon.definitions import DefinitionWatcher
from lineagegraph.daemon.freshness import notify_freshness
from lineagegraph.daemon.overdue import notify_overdue
from lineagegraph.daemon.remove_clusters import remove_leftover_clusters
from lineagegraph.daemon.ticks import Beats
from lineagegraph.errors import GraphError, LineagegraphError
from lineagegraph.graph import Graph
from lineagegraph.ingest.emptied import delete_spared
from lineagegraph.ingest.numbering import forget_changes, number_changes
from lineagegraph.liveness.contact import Contact
from lineagegraph.liveness.daemons import NudgeListener
from lineagegraph.model.outbox.targets import Forward
from lineagegraph.model.runs.ids import new_id
from lineagegraph.neo4j_server import browser_link
from lineagegraph.outbox.forwarding import Forwarder
from lineagegraph.outbox.notifications import notify_given_up
from lineagegraph.outbox.notifications.channels import open_channels
from lineagegraph.outbox.notifications.sender import Sender
from lineagegraph.process_environment.graph_place import graph_place
from lineagegraph.reactions.watched_tags import report_reached
from lineagegraph.reruns.installed import installed_environment
from lineagegraph.runs.reap import reap_lost_runs, replay_ended_spools
from lineagegraph.runs.silence import fail_silent_runs
from lineagegraph.sensing.children import SensorKeeper
from lineagegraph.settings import Settings
from lineagegraph.store.admin import processes
from lineagegraph.store.admin.clock import get_time
from lineagegraph.store.admin.retention import claim_turn, set_turn_done
from lineagegraph.triggers.held import release_held
from lineagegraph.triggers.pause import resume_due
from lineagegraph.triggers.react import react_to_missed, react_to_times
from lineagegraph.triggers.reset import reset_due
from lineagegraph.views.page_address import page_address
from lineagegraph.worker.launcher import Launcher
from lineagegraph.worker.run_gate import wake_due_waits

log = structlog.get_logger()
_FORGET = timedelta(hours=1)
_SWEEP_EVERY = timedelta(days=1)
# Longer than a sweep takes: two at once would only wait for each other.
_SWEEP_AGAIN = timedelta(hours=3)
_SWEEP_SECONDS = 600.0
_FORGET_SECONDS = 60.0
# Within it all daemons tell which routes and targets they have.
_ROLL_CALL_SECONDS = 3 * _FORGET_SECONDS
_SILENT_SECONDS = 10.0
_FRESH_SECONDS = 30.0
_TAG_SECONDS = 30.0
_OVERDUE_SECONDS = 30.0
_THREADS = 10
_CLUSTER_SECONDS = 10.0


class Daemon:
    """Evaluates triggers, launches queued runs and reaps lost ones, until stopped."""

    def __init__(self, graph: Graph, settings: Settings) -> None:
        self._graph = graph
        self._settings = settings
        self.beats = Beats()
        self.id = new_id()
        self._host = socket.gethostname()
        self._max_event_age = settings.max_event_age
        self.launcher = Launcher(graph, settings, f"{self._host}:{os.getpid()}")
        # A shorter gap cannot end a lease: its holder would have renewed it meanwhile.
        self._contact = Contact(gap=settings.lease_seconds / 2, term=settings.lease_seconds)
        self._roll_call = Contact(gap=settings.lease_seconds / 2, term=_ROLL_CALL_SECONDS)
        self._lock = Lock()
        self._is_draining = False
        self._numbered = -1
        sending = len(settings.notify) + len(settings.forward)
        self._scheduler = BackgroundScheduler(
            executors={"default": ThreadPoolExecutor(_THREADS + sending)},
            job_defaults={"coalesce": True, "max_instances": 1, "misfire_grace_time": None},
            timezone="UTC",
        )
        self._clock = ClockWatch(self.run_all_now)
        self._nudges: NudgeListener | None = None
        self._definitions = DefinitionWatcher(graph, settings, self.id)
        self._sensors = SensorKeeper(graph, settings)
        link = partial(browser_link, settings)
        channels = open_channels(settings.notify)
        self._sender = Sender(graph, channels, link=link, page=page_address(settings))
        self._forwarder = Forwarder(graph, settings.forward, settings.forward_max_events)

    def start(self) -> None:
        """Start beating; the first tick handles everything since the last daemon ended."""
        tick, beat = self._settings.tick_seconds, self._settings.beat_seconds
        self._repeat(self._tick, tick, "tick")
        self._repeat(self._beat, beat, "beat")
        if self._settings.retention:
            self._repeat(self._sweep, _SWEEP_SECONDS, "sweep")
        if self._settings.notify:
            self._repeat(self._tell_given_up, tick, "given_up")
            self._repeat(self._tell_overdue, _OVERDUE_SECONDS, "overdue")
        if self._settings.forward:
            self._survive(self._forwarder.register, "register_forwards")
        # One that is slow, or away, delays no others.
        for channel in self._sender.channels:
            self._repeat(partial(self._send, channel), tick, f"notifications {channel}")
        for target in self._settings.forward:
            self._repeat(partial(self._forward, target), tick, f"forwards {target.name}")
        self._repeat(self._tidy, _SWEEP_SECONDS, "outbox")
        self._repeat(self._delete_spared, _SWEEP_SECONDS, "spared")
        self._repeat(self._tidy_forwards, _FORGET_SECONDS, "targets")
        self._repeat(self._remove_left, _CLUSTER_SECONDS, "clusters")
        self._repeat(self._keep_sensing, tick, "sensors")
        self._repeat(self._end_silent, _SILENT_SECONDS, "silent")
        self._repeat(self._watch, _FRESH_SECONDS, "freshness")
        self._repeat(self._follow_tags, _TAG_SECONDS, "tags")
        self._repeat(self._forget, _FORGET_SECONDS, "run_states")
        self._repeat(self._forget_audit, _SWEEP_SECONDS, "audit")
        self._survive(partial(record_settings, self._graph, self._settings), "record_settings")
        self._scheduler.start()
        self._clock.start()
        self._nudges = NudgeListener(self.tick_now)
        self._beat()
        self._definitions.start()
        self._survive(self._hand_in)
        self.tick_now()

    def _repeat(self, step: Callable[[], None], seconds: float, id_: str) -> None:
        self._scheduler.add_job(step, "interval", seconds=seconds, id=id_)

    def tick_now(self) -> None:
        """Tick at once, and then at the usual intervals."""
        self._run_now("tick")

    def run_all_now(self) -> None:
        """Run all steps at once, and then at the usual intervals.

        The scheduler plans by the time of day: after a clock was put back it would wait for long.
        """
        for job in self._scheduler.get_jobs():
            self._run_now(job.id)

    def _run_now(self, id_: str) -> None:
        self._scheduler.modify_job(id_, next_run_time=datetime.now(tz=self._scheduler.timezone))

    def drain(self) -> list[str]:
        """Start no more runs, park those that only wait, and return the jobs of the others."""
        with self._lock:
            self._is_draining = True
            self.launcher.collect_ended()
            return self.launcher.park_resting()

    def stop(self, grace: float = 20.0) -> None:
        """End the workers' runs, and leave the graph, which may be away."""
        if self._nudges:
            self._nudges.close()
        self._clock.stop()
        self._scheduler.shutdown(wait=True)
        self._sensors.stop()
        # What it holds lapses by itself if Neo4j is away.
        with suppress(GraphError):
            self.launcher.stop(grace)
            self._definitions.stop()
            self._graph.write(processes.delete_process, id=self.id)

    def _tick(self) -> None:
        with self._lock:
            for step in (
                self._wake,
                self._settle,
                self._decide,
                self._backfill,
                self._launch,
                self._number,
            ):
                self._survive(step)

    def _wake(self) -> None:
        wake_due_waits(self._graph, self._settings)

    def _settle(self) -> None:
        self.launcher.collect_ended()
        self.launcher.keep_starting()
        logs = self._settings.home / "logs"
        reap_lost_runs(
            self._graph,
            self._max_event_age,
            self._contact,
            self._settings.notify,
            logs,
            place=graph_place(self._settings),
        )

    def _hand_in(self) -> None:
        logs = self._settings.home / "logs"
        replay_ended_spools(self._graph, logs, self._max_event_age, self._settings.notify)

    def _decide(self) -> None:
        self._graph.write(resume_due)
        fired = self._graph.write(react_to_times)
        self._graph.write(reset_due)
        fired += react_to_missed(self._graph, max_event_age=self._max_event_age)
        fired += release_held(self._graph)
        for firing in fired:
            log.info("trigger_fired", run=firing.run_id, reason=firing.reason)

    def _backfill(self) -> None:
        advance_backfills(self._graph)

    def _launch(self) -> None:
        if not self._is_draining:
            self.launcher.launch_queued()

    def _remove_left(self) -> None:
        self._survive(
            partial(remove_leftover_clusters, self._graph, self._settings), "remove_clusters"
        )

    def _end_silent(self) -> None:
        silence = partial(fail_silent_runs, self._graph, self._settings, self._contact)
        self._survive(silence, "fail_silent_runs")

    def _keep_sensing(self) -> None:
        self._survive(self._sensors.keep, "keep_sensing")

    def _watch(self) -> None:
        self._survive(partial(notify_freshness, self._graph, self._settings), "notify_freshness")

    def _follow_tags(self) -> None:
        self._survive(partial(report_reached, self._graph, self._settings), "follow_tags")

    def _number(self) -> None:
        self._numbered = number_changes(self._graph, self._numbered).newest

    def _forget(self) -> None:
        forget = partial(forget_changes, self._graph, self._settings.run_states_age)
        self._survive(forget, "forget_changes")

    def _forget_audit(self) -> None:
        forget = partial(forget_entries, self._graph, self._settings.audit_age)
        self._survive(forget, "forget_audit")

    def _sweep(self) -> None:
        self._survive(self._delete_old)
        self._survive(self._delete_logs)

    def _delete_old(self) -> None:
        """Delete old runs, once a day for all daemons together; what was cut short goes on soon."""
        if self._graph.write(claim_turn, every=_SWEEP_EVERY, again=_SWEEP_AGAIN, now=None):
            ages, inherit = self._settings.retention, self._settings.inherit_namespace
            report = sweep(self._graph, ages, inherit=inherit)
            runs = sum(found.runs for found in report.namespaces.values())
            log.info("old_runs_deleted", runs=runs, facets=report.facets)
            kept = installed_environment().sha256
            code = delete_code(self._graph, self._settings, kept=kept)
            self._graph.write(set_turn_done)
            log.info("old_code_deleted", archives=code.archives, files=code.files)

    def _delete_logs(self) -> None:
        """Delete the logs of deleted runs: each daemon those of its own host."""
        ages = self._settings.retention.values()
        deleted = delete_logs(self._graph, self._settings.home / "logs", min(ages))
        if deleted:
            log.info("old_logs_deleted", folders=deleted)

    def _send(self, channel: str) -> None:
        self._survive(partial(self._sender.send_through, channel), "send_notifications")

    def _tell_given_up(self) -> None:
        self._survive(self._tell)

    def _tell(self) -> None:
        self._graph.write(notify_given_up, self._settings.notify, max_event_age=self._max_event_age)

    def _tell_overdue(self) -> None:
        self._survive(partial(notify_overdue, self._graph, self._settings), "notify_overdue")

    def _delete_spared(self) -> None:
        self._survive(partial(self._graph.write, delete_spared), "delete_spared")

    def _tidy(self) -> None:
        self._survive(self._tidy_outbox)

    def _tidy_outbox(self) -> None:
        if self._knows_others():
            self._sender.tidy()

    def _knows_others(self) -> bool:
        """Return whether other daemons had the time to use their routes and targets.

        After Neo4j was away for days, or its clock was set, all looks unused for long.
        """
        return self._roll_call.is_steady(self._graph.read(get_time))

    def _forward(self, target: Forward) -> None:
        self._survive(partial(self._forwarder.send_to, target), "send_forwards")

    def _tidy_forwards(self) -> None:
        self._survive(self._tidy_targets, "tidy_forwards")

    def _tidy_targets(self) -> None:
        self._forwarder.tidy(may_forget=self._knows_others())

    def _beat(self) -> None:
        self._survive(self._say_alive)

    def _say_alive(self) -> None:
        there = self._graph.write(
            processes.merge_process,
            id=self.id,
            kind=processes.DAEMON,
            host=self._host,
            pid=os.getpid(),
            address=self._nudges.address if self._nudges else None,
            now=None,
        )
        self._contact.note(there)
        self._roll_call.note(there)
        self._graph.write(processes.delete_silent, within=max(_FORGET, processes.ALIVE), now=None)

    def _survive(self, step: Callable[[], object], name: str = "") -> None:
        """Run a step; its error is logged, and the next tick tries again.

        `name` is the step's name in logs and metrics, by default that of the method.
        """
        name = name or step.__name__.lstrip("_")
        began, failed = time.monotonic(), True
        try:
            step()
            failed = False
        except LineagegraphError as error:
            log.warning("tick_failed", step=name, error=str(error))
        except Exception:
            log.exception("tick_failed", step=name)
        finally:
            self.beats.note(name, time.monotonic() - began, failed=failed)
