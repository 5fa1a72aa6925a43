"""`up`: run the background processes."""

import subprocess
import time
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from lineagegraph import neo4j_server
from lineagegraph.cli.connect import starting
from lineagegraph.cli.console import errors, program, results
from lineagegraph.cli.operate.note import Note, check_is_free, find_service
from lineagegraph.errors import SettingsError
from lineagegraph.private_files import open_private, private_folder
from lineagegraph.process_environment.conceal import conceal_environment
from lineagegraph.process_environment.handover import handing_over, receive_settings
from lineagegraph.process_environment.modules import module_command
from lineagegraph.process_environment.task_processes import MARK
from lineagegraph.settings import Settings
from lineagegraph.text import format_age

_STILL_SECONDS = 60.0


class ServicePart(StrEnum):
    """The parts that `up` can be limited to."""

    HTTP = "http"
    DAEMON = "daemon"


def up(
    host: Annotated[str | None, typer.Option(help="Host or address to serve HTTP on.")] = None,
    port: Annotated[int | None, typer.Option(help="Port; 0 chooses a free one.")] = None,
    only: Annotated[
        ServicePart | None, typer.Option(help="Run only the HTTP server or only the daemon.")
    ] = None,
    detach: Annotated[bool, typer.Option(help="Run in the background; return when ready.")] = False,
) -> None:
    """Run Neo4j, the HTTP server and the daemon until Ctrl-C."""
    overrides = {"host": host, "port": port}
    settings = receive_settings(restore=True).model_copy(
        update={k: v for k, v in overrides.items() if v is not None}
    )
    conceal_environment()
    check_is_free(settings)
    if detach:
        note = start_detached(settings, only)
        at = f" at {note.http}" if note.http else ""
        results.print(f"up{at}, process {note.pid}; `{program()} down` stops it")
    else:
        # Late, as who starts it in the background needs neither the server nor the daemon.
        from lineagegraph.cli.operate.stay import stay

        is_served, has_daemon = only is not ServicePart.DAEMON, only is not ServicePart.HTTP
        stay(settings, is_served=is_served, has_daemon=has_daemon)


def start_detached(settings: Settings, only: ServicePart | None = None) -> Note:
    """Start `up` in the background, and return its note when it is ready."""
    command = module_command("lineagegraph.cli", "up")
    command += ["--only", only.value] if only else []
    if not settings.neo4j_uri:
        with starting() as progress:
            neo4j_server.prepare(settings, progress)
    path = private_folder(settings.home) / "up.log"
    with open_private(path, "ab") as output, handing_over(settings) as given:
        earlier = output.tell()
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            # A daemon that a task starts outlives the task.
            env=given.environment | {MARK: ""},
            pass_fds=given.descriptors,
            start_new_session=True,
        )
    with errors.status("starting"):
        return await_ready(process, settings, path, earlier)


def await_ready(
    process: "subprocess.Popen[bytes]", settings: Settings, log: Path, earlier: int = 0
) -> Note:
    """Wait until a started `up` is ready, as long as it lives; raise `SettingsError` if it ends.

    The log has so many bytes of earlier ones.
    """
    began = told = time.monotonic()
    while not ((note := find_service(settings)) and note.pid == process.pid):
        if process.poll() is not None:
            # Another one may have been quicker: the end of the log is not of this one then.
            check_is_free(settings)
            raise SettingsError(f"`up` ended: {_last_line(log, earlier)} (its log is {log})")
        if (now := time.monotonic()) - told > _STILL_SECONDS:
            errors.print(f"still starting after {format_age(now - began)}: its log is {log}")
            told = now
        time.sleep(0.3)
    return note


def _last_line(log: Path, earlier: int) -> str:
    lines = log.read_bytes()[earlier:].decode(errors="replace").strip().splitlines()
    if lines:
        return lines[-1]
    return "its log took nothing, so look whether the disk is full"
