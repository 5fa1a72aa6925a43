"""Processes that end with all that they started."""

import asyncio
import os
import signal
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager, suppress

_LONGEST_LINE = 4 * 1024 * 1024
"""The longest answer: `lg.new_items` with all that it may have, and each character escaped."""


@asynccontextmanager
async def process_group(
    *command: str,
    stdout: int = asyncio.subprocess.PIPE,
    stderr: int | None = None,
    env: Mapping[str, str] | None = None,
    pass_fds: Sequence[int] = (),
) -> AsyncIterator[asyncio.subprocess.Process]:
    """Start a process in its own session, yield it, and kill the session."""
    process = await asyncio.create_subprocess_exec(
        *command,
        stdin=asyncio.subprocess.PIPE,
        stdout=stdout,
        stderr=stderr,
        env=env,
        pass_fds=pass_fds,
        start_new_session=True,
        limit=_LONGEST_LINE,
    )
    try:
        yield process
    finally:
        # Also what it started: nobody would wait for that.
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        await process.wait()
