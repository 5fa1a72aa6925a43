"""Threads that a task starts work for the task: their Spark jobs have its tag.

Spark keeps job tags for each thread of the JVM, and Python's threads have one each that is no child
of another: a new thread, or a thread of a pool, has no tag.
"""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, ExitStack
from contextvars import ContextVar
from functools import wraps
from multiprocessing.pool import ThreadPool
from threading import Lock, Thread
from typing import Any

from lineagegraph.model.holding import holding

#: methods of `ThreadPool` that take a function
_CALLS = (
    *("apply_async", "map", "map_async", "starmap", "starmap_async", "imap", "imap_unordered"),
)

Enter = Callable[[], AbstractContextManager[None]]

_current: ContextVar[tuple[Enter, ...]] = ContextVar("lineagegraph_thread_tags", default=())
_lock = Lock()


def passing_on(enter: Enter) -> AbstractContextManager[None]:
    """Enter `enter()` also in threads that this one starts, and in its work for thread pools."""
    _install()
    return holding(_current, (*_current.get(), enter))


def passing_nothing_on() -> AbstractContextManager[None]:
    """Start threads that outlive the work, or work for others too."""
    return holding(_current, ())


def _install() -> None:
    """Have threads and pools of the standard library pass on what their caller works for."""
    with _lock:
        if not hasattr(Thread.start, "__wrapped__"):
            Thread.start = _start(Thread.start)  # type: ignore[method-assign, assignment]
            ThreadPoolExecutor.submit = _submit(  # type: ignore[method-assign]
                ThreadPoolExecutor.submit
            )
            ThreadPool.__init__ = _make(ThreadPool.__init__)  # type: ignore[method-assign]
            for name in _CALLS:
                setattr(ThreadPool, name, _submit(getattr(ThreadPool, name)))


def _start(original: Callable[[Thread], None]) -> Callable[[Thread], None]:
    @wraps(original)
    def start(thread: Thread) -> None:
        if enters := _current.get():
            thread.run = _entering(enters, thread.run)  # type: ignore[method-assign]
        original(thread)

    return start


def _submit(original: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(original)
    def submit(pool: Any, /, *args: Any, **options: Any) -> Any:
        if enters := _current.get():
            if args:
                args = (_entering(enters, args[0]), *args[1:])
            elif call := options.get("func"):
                options["func"] = _entering(enters, call)
        # A thread of the pool works for others later.
        with passing_nothing_on():
            return original(pool, *args, **options)

    return submit


def _make(original: Callable[..., None]) -> Callable[..., None]:
    @wraps(original)
    def make(pool: ThreadPool, *args: Any, **options: Any) -> None:
        # It starts its threads at once.
        with passing_nothing_on():
            original(pool, *args, **options)

    return make


def _entering(enters: tuple[Enter, ...], call: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(call)
    def entered(*args: Any, **options: Any) -> Any:
        with ExitStack() as stack:
            for enter in enters:
                stack.enter_context(passing_on(enter))
                stack.enter_context(enter())
            return call(*args, **options)

    return entered
