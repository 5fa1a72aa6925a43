"""Threads that a task starts work for the task: their Spark jobs have its tag.

Spark keeps job tags for each thread of the JVM, and Python's threads have one each that is no child
of another: a new thread, or a thread of a pool, has no tag.
"""

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, ExitStack
from contextvars import ContextVar
from functools import partial, wraps
from inspect import signature
from multiprocessing.pool import ThreadPool
from threading import Lock, Thread
from typing import Any

from lineagegraph.model.holding import holding

#: methods of `ThreadPool` that take a function
_CALLS = (
    *("apply_async", "map", "map_async", "starmap", "starmap_async", "imap", "imap_unordered"),
)
#: their arguments that are called in threads of the pool
_CALLED = ("func", "callback", "error_callback", "initializer")
#: methods that take values from their iterable in a thread of the pool
_LAZY = ("imap", "imap_unordered")
_END = object()

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
            for name in ("__init__", *_CALLS):
                setattr(ThreadPool, name, _call(getattr(ThreadPool, name)))


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
        if args and (enters := _current.get()):
            args = (_entering(enters, args[0]), *args[1:])
        # A thread of the pool works for others later.
        with passing_nothing_on():
            return original(pool, *args, **options)

    return submit


def _call(original: Callable[..., Any]) -> Callable[..., Any]:
    told = signature(original)

    @wraps(original)
    def call(*args: Any, **options: Any) -> Any:
        if enters := _current.get():
            given = told.bind(*args, **options)
            for name in _CALLED:
                if function := given.arguments.get(name):
                    given.arguments[name] = _entering(enters, function)
            if original.__name__ in _LAZY:
                given.arguments["iterable"] = _each(enters, given.arguments["iterable"])
            args, options = given.args, given.kwargs
        # Its threads, which it starts when it is made, work for others later.
        with passing_nothing_on():
            return original(*args, **options)

    return call


def _each(enters: tuple[Enter, ...], values: Iterable[Any]) -> Iterator[Any]:
    step = _entering(enters, partial(next, iter(values), _END))
    while (value := step()) is not _END:
        yield value


def _entering(enters: tuple[Enter, ...], call: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(call)
    def entered(*args: Any, **options: Any) -> Any:
        with ExitStack() as stack:
            for enter in enters:
                stack.enter_context(passing_on(enter))
                stack.enter_context(enter())
            return call(*args, **options)

    return entered
