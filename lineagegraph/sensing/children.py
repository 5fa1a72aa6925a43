"""Sensor processes as children: started, and started again when they end."""

import subprocess
import sys
import time
from contextlib import suppress
from dataclasses import dataclass, field

import structlog

from lineagegraph.graph import Graph
from lineagegraph.private_files import open_private, private_folder
from lineagegraph.process_environment.handover import handing_over
from lineagegraph.settings import Settings
from lineagegraph.store.sensors import sensor_views

log = structlog.get_logger()
_FIRST_PAUSE = 1.0
_LONGEST_PAUSE = 15.0
_HEALTHY_SECONDS = 60.0


@dataclass
class _Child:
    """One place for a process: who has it, since when, and when another may be started."""

    number: int
    process: "subprocess.Popen[bytes] | None" = None
    began: float = 0.0
    pause: float = field(default=_FIRST_PAUSE)
    not_before: float = 0.0


class SensorChildren:
    """Keeps so many sensor processes; they end with the process that started them."""

    def __init__(self, settings: Settings, number: int | None = None) -> None:
        self._settings = settings
        wanted = settings.sensor_processes if number is None else number
        self._children = [_Child(number) for number in range(wanted)]

    def keep(self) -> None:
        """Start missing processes; one that ends soon after its start waits longer each time."""
        for child in self._children:
            if child.process is not None and child.process.poll() is not None:
                self._note_end(child, child.process.returncode)
            if child.process is None and time.monotonic() >= child.not_before:
                child.process, child.began = self._start(child.number), time.monotonic()

    def stop(self, grace: float) -> None:
        """Ask all to leave, and kill those that take longer than `grace`."""
        living = [child.process for child in self._children if child.process]
        for process in living:
            process.terminate()
        until = time.monotonic() + grace
        for process in living:
            with suppress(subprocess.TimeoutExpired):
                process.wait(max(0.0, until - time.monotonic()))
            process.kill()
            process.wait()

    def _note_end(self, child: _Child, code: int) -> None:
        lived = time.monotonic() - child.began
        child.pause = (
            _FIRST_PAUSE if lived > _HEALTHY_SECONDS else min(child.pause * 2, _LONGEST_PAUSE)
        )
        child.process, child.not_before = None, time.monotonic() + child.pause
        log.warning("sensor_process_ended", exit=code, again_in=child.pause)

    def _start(self, number: int) -> "subprocess.Popen[bytes]":
        folder = private_folder(private_folder(self._settings.home) / "logs")
        command = [sys.executable, "-m", "lineagegraph.sensing", "--child"]
        log_file = folder / f"sensors-{number}.log"
        with open_private(log_file, "ab") as output, handing_over(self._settings) as given:
            process = subprocess.Popen(
                command,
                # Its end tells the child that nobody is there any more.
                stdin=subprocess.PIPE,
                stdout=output,
                stderr=output,
                env=given.environment,
                pass_fds=given.descriptors,
                start_new_session=True,
            )
        log.info("sensor_process_started", pid=process.pid)
        return process


_GRACE_SECONDS = 5.0


class SensorKeeper:
    """Keeps sensor processes from the first sensor on: who waits for none has none."""

    def __init__(self, graph: Graph, settings: Settings) -> None:
        self._graph = graph
        self._children = SensorChildren(settings)
        self._is_needed = False

    def keep(self) -> None:
        """Start missing processes."""
        if not self._is_needed:
            self._is_needed = self._graph.read(sensor_views.get_any) is not None
        if self._is_needed:
            self._children.keep()

    def stop(self) -> None:
        """Ask them to leave."""
        self._children.stop(_GRACE_SECONDS)
