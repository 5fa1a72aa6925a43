"""Authors of changes: the process, or the request that it serves."""

import getpass
import socket
import sys
from contextlib import AbstractContextManager
from contextvars import ContextVar
from typing import NamedTuple

from lineagegraph.model.holding import holding

DAEMON = "daemon"
LONGEST_AUTHOR = 500
"""The length of an author's name: a person's, with the token or user that asked for them."""


class Actor(NamedTuple):
    """The author of changes, as the audit log names it; `address` is that of a request's sender."""

    name: str
    address: str | None = None


_request: ContextVar[Actor | None] = ContextVar("actor", default=None)
_kinds: list[str] = []


def current_actor() -> Actor:
    """Return the author of changes that are made here and now."""
    return _request.get() or Actor(_process())


def acting_as(actor: Actor) -> AbstractContextManager[None]:
    """Make an actor the author of the changes of this task or thread, inside the block."""
    return holding(_request, actor)


def name_process(kind: str) -> None:
    """State what this process is, such as `cli` or `daemon`: it is the author without a request.

    All its threads share it, as threads do not take over a context.
    """
    _kinds[:] = [kind]


def this_person() -> str:
    """Return the user of this process as `USER@HOST`."""
    try:
        return f"{getpass.getuser()}@{socket.gethostname()}"
    except (KeyError, OSError):  # a user without a name, as containers have them
        return socket.gethostname()


def _process() -> str:
    if _kinds == [DAEMON]:
        return DAEMON
    kind = _kinds[0] if _kinds else "notebook" if _is_kernel() else "python"
    return f"{kind}:{this_person()}"


def _is_kernel() -> bool:
    """Return whether this process is a kernel, without an import of IPython."""
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython else None
    return "marimo" in sys.modules or hasattr(shell, "kernel")
