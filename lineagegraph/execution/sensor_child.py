"""A sensor process as a child: started again when it ends, and killed when it stands still."""

import subprocess
import time
from contextlib import suppress

import structlog

from lineagegraph.private_files import open_private, private_folder
from lineagegraph.process_environment.handover import handing_over
from lineagegraph.process_environment.memory import resident_bytes
from lineagegraph.process_environment.modules import module_command
from lineagegraph.process_environment.task_processes import MARK, end_processes, part_mark
from lineagegraph.sensors.poke_notes import PokeNotes
from lineagegraph.settings import Settings
from lineagegraph.text import format_duration

log = structlog.get_logger()
_FIRST_PAUSE = 1.0
_LONGEST_PAUSE = 15.0
_HEALTHY_SECONDS = 60.0
_MOST_DOUBTS = 2


class SensorChild:
    """One place for a sensor process; it ends with the process that called `keep`.

    It shares memory with the child. After a death, the next child learns from it what was poked.
    The processes of a dead one are ended first.
    """

    def __init__(self, settings: Settings, name: str) -> None:
        self._settings = settings
        self._name = name
        self._mark = part_mark("sensors")
        self._notes = PokeNotes.create()
        self._process: subprocess.Popen[bytes] | None = None
        self._began = 0.0
        self._pause = _FIRST_PAUSE
        self._not_before = 0.0
        self._doubts = 0

    @property
    def is_running(self) -> bool:
        """Whether there is a process, which may hang."""
        return self._process is not None and self._process.poll() is None

    def check(self) -> bool:
        """Kill a process that stands still or takes too much memory; return whether one runs."""
        if self._process is not None:
            if why := self._why_kill(self._process):
                log.error("sensor_process_killed", pid=self._process.pid, why=why)
                self._process.kill()
                self._process.wait()
            if self._process.poll() is not None:
                self._note_end(self._process.returncode)
        return self._process is not None

    def keep(self) -> None:
        """Start a missing process; one that ends soon after its start waits longer each time."""
        if not self.check() and time.monotonic() >= self._not_before:
            self._process, self._began = self._start(), time.monotonic()

    def ask_to_leave(self) -> None:
        """Ask the process to leave, if there is one."""
        if self._process:
            self._process.terminate()

    def stop(self, until: float) -> None:
        """Wait until a monotonic time for the process to leave, and kill it then."""
        if self._process:
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(max(0.0, until - time.monotonic()))
            self._process.kill()
            if self._process.wait():
                end_processes(self._mark)
        self._notes.close()

    def _why_kill(self, process: "subprocess.Popen[bytes]") -> str | None:
        age, lease = self._notes.age, self._settings.sensor_lease_seconds
        # The whole machine may have stood still: then the child gets one more turn.
        self._doubts = self._doubts + 1 if age is not None and age > lease else 0
        if self._doubts >= _MOST_DOUBTS:
            return f"its loop did not run for {format_duration(lease)}"
        most = self._settings.sensor_memory_bytes
        return f"it takes more than {most} bytes" if resident_bytes(process.pid) > most else None

    def _note_end(self, code: int) -> None:
        if time.monotonic() - self._began > _HEALTHY_SECONDS:
            self._pause = _FIRST_PAUSE
        pause, self._pause = self._pause, min(self._pause * 2, _LONGEST_PAUSE)
        self._process, self._not_before = None, time.monotonic() + pause
        # The calls that it made would go on beside those of the next one, and leave programs.
        end_processes(self._mark)
        poked = sorted(self._notes.left())
        log.warning("sensor_process_ended", exit=code, again_in=pause, poked=poked)

    def _start(self) -> "subprocess.Popen[bytes]":
        self._notes.forget_beat()
        self._doubts = 0
        folder = private_folder(private_folder(self._settings.home) / "logs")
        number = self._notes.descriptor
        command = module_command("lineagegraph.sensing", "--child", "--notes", str(number))
        log_file = folder / f"sensors-{self._name}.log"
        with open_private(log_file, "ab") as output, handing_over(self._settings) as given:
            process = subprocess.Popen(
                command,
                # Its end tells the child that nobody is there any more.
                stdin=subprocess.PIPE,
                stdout=output,
                stderr=output,
                env=given.environment | {MARK: self._mark},
                pass_fds=(*given.descriptors, number),
                start_new_session=True,
            )
        log.info("sensor_process_started", pid=process.pid)
        return process
