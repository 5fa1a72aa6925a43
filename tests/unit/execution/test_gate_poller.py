"""Steps at the gate are asked for until they begin or end, whatever goes wrong on the way."""

from queue import SimpleQueue
from threading import Event

from lineagegraph.errors import GraphUnreachable
from lineagegraph.execution.cancellation import Cancellation
from lineagegraph.execution.places import RunPlaces
from lineagegraph.execution.wait_queue import GatePoller
from lineagegraph.model.pipelines.entry import Waits
from tests.unit.execution.conftest import ScriptedGate


class PlainStep:
    task = None

    def __init__(self, name, pool=None):
        self.name, self.pool = name, pool


class OnePlace(RunPlaces):
    def __init__(self):
        super().__init__()
        self.number, self.has_refused = 1, Event()

    def try_take(self, step):
        is_taken = super().try_take(step)
        if not is_taken:
            self.has_refused.set()
        return is_taken


def test_a_step_that_is_held_back_is_not_forgotten_when_the_graph_goes_away():
    gate, places, began = ScriptedGate(), OnePlace(), SimpleQueue()
    running, pooled = PlainStep("running"), PlainStep("pooled", pool="p")
    absences = [GraphUnreachable("away")]

    def list_ready(steps):
        if not places.is_full and absences:
            raise absences.pop()
        return []

    gate.answers, gate.list_ready = {"waits": [Waits("WAITS", "for a file", ())]}, list_ready
    poller = GatePoller(
        gate,
        Cancellation(),
        places,
        begin=began.put,
        end=lambda step, outcome: began.put(outcome),
        wait=lambda step, found: None,
        kept=lambda step: poller.ask(pooled, {}),
    )
    places.take(running)
    poller.start()
    poller.ask(PlainStep("waits"), {})
    assert places.has_refused.wait(10)
    places.give_back(running)
    assert began.get(timeout=10) is pooled
    assert absences == []
    poller.close()
