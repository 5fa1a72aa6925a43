"""What a process pokes is known after its death."""

import os
import signal
import subprocess
import sys

from lineagegraph.sensors.poke_notes import PokeNotes

CHILD = """
import os, sys
from lineagegraph.sensors.poke_notes import PokeNotes

notes = PokeNotes(int(sys.argv[1]))
notes.take_over("me")
for id_ in ("a" * 32, "b" * 32, "c" * 32):
    notes.begin(id_)
notes.end("b" * 32)
os.kill(os.getpid(), 9)
"""


def die(notes: PokeNotes) -> None:
    command = [sys.executable, "-c", CHILD, str(notes.descriptor)]
    done = subprocess.run(command, pass_fds=(notes.descriptor,), check=False)
    assert done.returncode == -signal.SIGKILL


def test_a_killed_process_leaves_what_it_poked_and_the_next_counts_deaths() -> None:
    notes = PokeNotes.create()
    die(notes)
    assert sorted(notes.left()) == ["a" * 32, "c" * 32]
    assert notes.owner == "me"
    assert notes.take_over("next") == {"a" * 32: 1, "c" * 32: 1}
    assert notes.left() == []
    notes.end("a" * 32)
    notes.begin("a" * 32)
    # What was a suspect until then was not poked by the process that died.
    again = PokeNotes(os.dup(notes.descriptor)).take_over("last")
    assert again == {"a" * 32: 2, "c" * 32: 1}


def test_the_age_is_that_of_the_last_heartbeat() -> None:
    notes = PokeNotes.create()
    assert notes.age is None
    notes.beat()
    assert notes.age is not None
    assert notes.age < 60
    notes.forget_beat()
    assert notes.age is None


def test_what_hangs_gives_way_where_more_is_poked_than_there_are_places() -> None:
    notes = PokeNotes.create()
    ids = [f"{number:032x}" for number in range(4_100)]
    for id_ in ids:
        notes.begin(id_)
    assert set(notes.left()) == set(ids[4:])
    for id_ in ids:
        notes.end(id_)
    assert notes.left() == []
