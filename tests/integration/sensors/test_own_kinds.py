"""A kind of one's own is a class, and is found by a setting or an entry point."""

import asyncio
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from lineagegraph.errors import InvalidSensor, PokeFailed, PokeOverdue
from lineagegraph.sensing.isolated_poke import Apart
from lineagegraph.sensing.limits import Limits
from lineagegraph.sensing.measures import Measures
from lineagegraph.sensing.poker import Poker
from lineagegraph.sensing.watch_list import Roster, Unusable
from lineagegraph.sensing.watched import Watched
from lineagegraph.sensors import known_kinds, make_sensor, open_context, poke_sensor
from lineagegraph.settings import Settings, load_settings
from lineagegraph.store.sensors.sensors import SensingRow
from tests.integration.sensors.looks import look, look_at

HERE = "tests.integration.sensors.own_kinds"
NOW = datetime(2026, 3, 1, tzinfo=UTC)


@pytest.fixture(autouse=True)
def _set(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The setting names kinds of this folder."""
    _name(monkeypatch, "Waker", "Reader", "Sleeper", "Silent", "Faulty", "Patient")
    yield
    load_settings.cache_clear()


def _name(monkeypatch: pytest.MonkeyPatch, *classes: str) -> None:
    places = ", ".join(f'"{HERE}:{one}"' for one in classes)
    monkeypatch.setenv("LINEAGEGRAPH_SENSOR_KINDS", f"[{places}]")
    load_settings.cache_clear()


def test_a_kind_that_the_setting_names_is_looked_at() -> None:
    assert look("waker", seconds=0.01)
    assert not look("waker", seconds=0, is_there=False)
    assert {"waker", "reader"} < set(known_kinds())


def test_its_fields_are_typed() -> None:
    with pytest.raises(InvalidSensor, match=r"sensor of kind waker: Expected `float`, got `str`"):
        make_sensor("waker", {"seconds": "long"})
    with pytest.raises(InvalidSensor, match=r"no field second \(did you mean seconds\?\)"):
        make_sensor("waker", {"second": 1})


def test_a_look_that_takes_too_long_ends() -> None:
    for kind in ("waker", "sleeper"):
        with pytest.raises(PokeFailed, match=r"no answer within 0\.1s"):
            look(kind, seconds=2, settings={"sensor_poke_seconds": 0.1})


def test_a_look_apart_may_take_four_times_as_long_as_its_kind_says() -> None:
    sensor = make_sensor("patient", {"seconds": 2})
    assert asyncio.run(Apart(30).look(sensor))
    with pytest.raises(PokeOverdue, match="no answer within 2s"):
        look("patient", seconds=2)


def test_a_kind_that_fails_before_it_looks_harms_no_other() -> None:
    async def watched() -> list[Watched]:
        poker = Poker(
            lambda known: asyncio.sleep(0, result=True),
            lambda answer: None,
            limits=Limits(8),
            clock=lambda: NOW,
            measures=Measures(),
        )
        roster = Roster(poker)
        rows = [_row("faulty", "{}"), _row("waker", '{"seconds": 1}')]
        roster.take(rows, roster.begin(NOW))
        return list(poker.watched.values())

    faulty, waker = asyncio.run(watched())
    assert faulty.sensor == Unusable(reason="KeyError: 'faulty'")
    assert waker.sensor == make_sensor("waker", {"seconds": 1})


def _row(kind: str, fields: str) -> SensingRow:
    return SensingRow(
        id=kind,
        kind=kind,
        fields=fields,
        shard=0,
        interval=60.0,
        backoff=1.0,
        longest=3600.0,
        watched_at=None,
        changed_at=None,
        newest=NOW,
        is_watched=False,
        poked_at=None,
        is_true=None,
        errors=0,
        breaks=0,
        exclusive_reason=None,
        cursor=None,
        cursor_number=0,
    )


def test_a_look_that_says_nothing_is_an_error() -> None:
    with pytest.raises(PokeFailed, match="kind silent returned None"):
        look("silent")


def test_a_look_that_hangs_keeps_its_thread_and_no_other(tmp_path: Path) -> None:
    pipe, file = tmp_path / "pipe", tmp_path / "file"
    os.mkfifo(pipe)
    file.write_text("yes")
    hanging = make_sensor("reader", {"path": str(pipe)})

    async def looks() -> None:
        async with open_context(Settings(sensor_poke_seconds=0.2)) as context:
            with pytest.raises(PokeOverdue, match=r"no answer within 0\.2s"):
                await poke_sensor(hanging, context)
            with pytest.raises(PokeOverdue, match="the previous poke has not returned for 0 s"):
                await poke_sensor(hanging, context)
            assert context.threads.running == 1
            assert await poke_sensor(make_sensor("reader", {"path": str(file)}), context)
            pipe.write_text("yes")
            while context.threads.running:
                await asyncio.sleep(0.01)

    asyncio.run(looks())


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("Nameless", "not a subclass of Sensor with a `kind`"),
        ("Nothing", "cannot be imported: AttributeError"),
        ("File", "kind file is built in already"),
        ("Path", "cannot be imported|not a subclass"),
    ],
)
def test_a_setting_that_names_no_kind_is_told(
    monkeypatch: pytest.MonkeyPatch, name: str, said: str
) -> None:
    _name(monkeypatch, name)
    with pytest.raises(InvalidSensor, match=said):
        make_sensor("waker", {"seconds": 1})


def test_the_kind_in_the_documentation_answers() -> None:
    page = (Path(__file__).parents[3] / "docs" / "sensor_kinds.md").read_text()
    (block,) = re.findall(r"^```python\n([^`]*class QueueDrained.*?)^```$", page, re.M | re.S)
    left = {"orders": 0, "returns": 3}

    async def count_messages(server: str, queue: str) -> int | None:
        return left.get(queue)

    known: dict[str, Any] = {"count_messages": count_messages}
    exec(block, known)
    kind = known["QueueDrained"]
    assert look_at(kind(queue="orders"))
    assert not look_at(kind(queue="returns"))
    with pytest.raises(PokeFailed, match="localhost has no queue gone"):
        look_at(kind(queue="gone"))


PROGRAM = """
import asyncio
from lineagegraph.errors import InvalidSensor
from lineagegraph.sensors import known_kinds, make_sensor, open_context, poke_sensor
from lineagegraph.settings import Settings

async def once():
    async with open_context(Settings()) as context:
        print(await poke_sensor(make_sensor("answer", {"number": 42}), context))

print(sorted({"answer", "broken"} & {*known_kinds()}))
asyncio.run(once())
for kind in ("broken", "answr"):
    try:
        make_sensor(kind, {})
    except InvalidSensor as error:
        print(error)
"""
PACKAGE = """
from typing import ClassVar
from lineagegraph.sensors import Sensor

class Answer(Sensor, frozen=True):
    kind: ClassVar[str] = "answer"
    number: int

    async def poke(self, context):
        return self.number == 42
"""


def test_an_installed_package_may_bring_kinds(tmp_path: Path) -> None:
    (tmp_path / "answers.py").write_text(PACKAGE)
    about = tmp_path / "answers-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: answers\nVersion: 1.0\n")
    points = "[lineagegraph.sensors]\nanswer = answers:Answer\nbroken = answers:Gone\n"
    (about / "entry_points.txt").write_text(points)
    environment = {**os.environ, "PYTHONPATH": str(tmp_path)}
    environment.pop("LINEAGEGRAPH_SENSOR_KINDS")
    command = [sys.executable, "-c", PROGRAM]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    both, answered, broken, unknown = done.stdout.splitlines()
    assert (both, answered) == ("['answer', 'broken']", "True")
    assert "answers:Gone cannot be imported: AttributeError" in broken
    assert "did you mean answer?" in unknown
