"""Clocks that are set while a daemon runs."""

import time
from threading import Event

from lineagegraph.daemon.clock_watch import ClockWatch


def test_a_clock_that_is_put_back_or_forward_is_noticed_once_each_time() -> None:
    shift, noticed, seen = [0.0], [], Event()

    def note() -> None:
        noticed.append(shift[0])
        seen.set()

    watch = ClockWatch(note, clock=lambda: time.time() + shift[0])
    watch.start()
    assert not seen.wait(1.5)
    for seconds in (-3600.0, 86_400.0):
        seen.clear()
        shift[0] = seconds
        assert seen.wait(10)
    seen.clear()
    assert not seen.wait(1.5)
    watch.stop()
    assert noticed == [-3600.0, 86_400.0]
