"""Notes of a sensor process in shared memory, which its parent reads after its death."""

import mmap
import os
import struct
import time
from collections import OrderedDict
from collections.abc import Iterator
from tempfile import TemporaryFile
from typing import Self

_HEAD = struct.Struct("d36s")  # time of the last heartbeat, id of the process
# id of a sensor, number of deaths in a row that it was part of, whether it is poked elsewhere
_NOTE = struct.Struct("32sB?")
_FIRST = 64
_PLACES = 4096
_SIZE = _FIRST + _NOTE.size * _PLACES
_MOST_DEATHS = 255


class PokeNotes:
    """The heartbeat of a sensor process, and the sensors that it pokes now.

    A note is a write to memory, so it costs a poke nothing, and the kernel keeps it however the
    process ends. The next process gets the same memory and finds what was poked at the death.
    """

    def __init__(self, descriptor: int) -> None:
        self.descriptor = descriptor
        self._memory = mmap.mmap(descriptor, _SIZE)
        self._free = list(range(_PLACES))
        self._places: OrderedDict[str, int] = OrderedDict()
        self._deaths: dict[str, int] = {}

    @classmethod
    def create(cls) -> Self:
        """Return empty notes in a file without a name."""
        with TemporaryFile() as file:
            file.truncate(_SIZE)
            return cls(os.dup(file.fileno()))

    def beat(self) -> None:
        """Note that the loop runs."""
        self._write_head(time.monotonic(), self.owner)

    def forget_beat(self) -> None:
        """Let a new process take its time until its first heartbeat."""
        self._write_head(0.0, self.owner)

    @property
    def age(self) -> float | None:
        """The seconds since the last heartbeat; None before the first."""
        (at, _) = _HEAD.unpack_from(self._memory)
        return time.monotonic() - at if at else None

    @property
    def owner(self) -> str:
        """The id of the process that wrote last; empty before the first."""
        (_, owner) = _HEAD.unpack_from(self._memory)
        return str(owner.rstrip(b"\0").decode())

    def take_over(self, owner: str) -> dict[str, int]:
        """Begin as a new process; return what the last one poked when it died, with deaths."""
        left = list(self._read())
        self._deaths = {id_: min(n + 1 - apart, _MOST_DEATHS) for id_, n, apart in left}
        self._memory[_FIRST:] = bytes(_SIZE - _FIRST)
        self._write_head(time.monotonic(), owner)
        # They stay noted until they are cleared, should this process die before.
        for id_ in self._deaths:
            self._begin(id_, is_apart=True)
        return dict(self._deaths)

    def left(self) -> list[str]:
        """Return the sensors that the process itself poked."""
        return [id_ for id_, _, is_apart in self._read() if not is_apart]

    def begin(self, id_: str) -> None:
        """Note that a sensor is poked from now on."""
        if id_ not in self._places:
            self._begin(id_, is_apart=False)

    def _begin(self, id_: str, *, is_apart: bool) -> None:
        # What hangs for long leaves its place to what is poked now.
        place = self._free.pop() if self._free else self._places.popitem(last=False)[1]
        self._places[id_] = place
        self._write(place, id_, self._deaths.get(id_, 0), is_apart)

    def _read(self) -> Iterator[tuple[str, int, bool]]:
        for id_, deaths, is_apart in _NOTE.iter_unpack(self._memory[_FIRST:]):
            if id_.strip(b"\0"):
                yield id_.rstrip(b"\0").decode(), deaths, is_apart

    def end(self, id_: str) -> None:
        """Note that the poke of a sensor is over."""
        place = self._places.pop(id_, None)
        if place is not None:
            self._write(place, "", 0, is_apart=False)
            self._free.append(place)

    def close(self) -> None:
        """Release the memory."""
        self._memory.close()
        os.close(self.descriptor)

    def _write_head(self, at: float, owner: str) -> None:
        _HEAD.pack_into(self._memory, 0, at, owner.encode())

    def _write(self, place: int, id_: str, deaths: int, is_apart: bool) -> None:
        at = _FIRST + place * _NOTE.size
        _NOTE.pack_into(self._memory, at, id_.encode(), deaths, is_apart)
