"""A standby sensor process that cannot be started is tried again, and fails nobody's wait."""

import pytest

from lineagegraph.execution import sensor_process
from lineagegraph.execution.sensor_process import StandbySensorProcess
from lineagegraph.settings import Settings


class FullDisk:
    """A child of which the first start finds no space."""

    is_running = False
    starts = 0

    def __init__(self, settings: Settings, name: str) -> None:
        pass

    def check(self) -> bool:
        return self.is_running

    def keep(self) -> None:
        FullDisk.starts += 1
        if FullDisk.starts == 1:
            raise OSError("no space left on device")
        self.is_running = True


def test_a_process_that_could_not_be_started_is_started_later(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sensor_process, "SensorChild", FullDisk)
    monkeypatch.setattr(sensor_process, "has_live_process", lambda graph, kind: False)
    monkeypatch.setattr(sensor_process, "_PAUSE", 0.0)
    standby = StandbySensorProcess(None, Settings())  # type: ignore[arg-type]
    standby.keep()
    assert not standby.is_running
    standby.keep()
    assert standby.is_running
