"""Hand the settings and the environment on to our own processes, past their environment.

A process's environment is readable by all processes of its user (`ps e`, `/proc/PID/environ`) and
is inherited by each program that it starts. So our own processes start with the environment of
tasks, and read the rest once from an inherited descriptor of a file without a name.
"""

import os
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryFile
from typing import BinaryIO, NamedTuple

import msgspec

from lineagegraph.model.typed import decode_msgpack
from lineagegraph.process_environment.chosen import BASE, PUBLIC_SETTINGS, choose
from lineagegraph.process_environment.task_processes import own_mark
from lineagegraph.settings import ALONE, Settings, load_settings, settings_environment

_DESCRIPTOR = "LINEAGEGRAPH_SETTINGS_DESCRIPTOR"


class _Handed(msgspec.Struct, frozen=True):
    """All settings as variables, and the environment of the first process."""

    settings: dict[str, str]
    environment: dict[str, str]


class Handover(NamedTuple):
    """The environment of a new process of ours, and the descriptors that it inherits."""

    environment: dict[str, str]
    descriptors: tuple[int, ...]


_handed: list[_Handed] = []


def inherited_environment() -> Mapping[str, str]:
    """Return the environment of the first of our processes, as a user or a service started it.

    In processes that took no settings over it is that of this process; a relative `JAVA_HOME` is
    absolute, as other processes run in other folders.
    """
    if _handed:
        return _handed[-1].environment
    java = os.environ.get("JAVA_HOME")
    return {**os.environ, "JAVA_HOME": str(Path(java).absolute())} if java else os.environ


def task_environment(settings: Settings, stated: Iterable[str] = ()) -> dict[str, str]:
    """Return the variables of a task: those that programs need, those of the setting
    `pass_environment`, those that the task states, and settings without secrets.

    A secret of lineagegraph's own settings is passed only by its full name.
    """
    wanted = (*BASE, *settings.pass_environment, *PUBLIC_SETTINGS, *stated)
    return choose(_all_variables(settings), wanted)


def stated_environment(settings: Settings, stated: Iterable[str]) -> dict[str, str]:
    """Return the variables that a task states."""
    return choose(_all_variables(settings), stated)


def _all_variables(settings: Settings) -> dict[str, str]:
    return {**inherited_environment(), **settings_environment(settings)}


@contextmanager
def handing_over(settings: Settings) -> Iterator[Handover]:
    """Yield what a new process needs to call `receive_settings`; start one process inside."""
    handed = _Handed(settings_environment(settings), dict(inherited_environment()))
    with _unnamed_file() as file:
        file.write(msgspec.msgpack.encode(handed))
        file.seek(0)
        number = file.fileno()
        environment = task_environment(settings) | own_mark() | {_DESCRIPTOR: str(number)}
        yield Handover(environment, (number,))


def receive_settings(*, restore: bool = False) -> Settings:
    """Return the settings that the process which started this one handed over.

    Call it first, once. Without a handover the settings are those of the environment. With
    `restore`, `os.environ` gets back all variables except secrets of lineagegraph: for processes
    that run no code of tasks.
    """
    number = os.environ.pop(_DESCRIPTOR, None)
    if number is None:
        return load_settings()
    with open(int(number), "rb") as file:  # noqa: PTH123
        handed = decode_msgpack(file.read(), into=_Handed)
    _handed.append(handed)
    if restore:
        os.environ.update(choose(handed.environment, ("*",)))
    # `load_settings` reads the environment and keeps the result for all later calls.
    before = dict(os.environ)
    given = {**handed.settings, ALONE: "1"}
    os.environ.update(given)
    try:
        return load_settings()
    finally:
        for name in given:
            os.environ.pop(name, None)
        os.environ.update(before)


def _unnamed_file() -> BinaryIO:
    """Return a file that has no name, and in Linux no place on a disk either."""
    if sys.platform == "linux":
        return os.fdopen(os.memfd_create("settings"), "w+b")
    return TemporaryFile("w+b")
