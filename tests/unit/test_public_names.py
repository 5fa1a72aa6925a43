"""The public names of the package."""

import pickle
import subprocess
import sys

import cloudpickle

import lineagegraph as lg

PROGRAM = """
import lineagegraph as lg
import lineagegraph.freshness.lease
import lineagegraph.worker.worker

assert callable(lg.freshness), lg.freshness
print(lg.freshness("1d"))
"""


def test_the_import_of_a_room_hides_no_public_name_that_is_the_same() -> None:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


def test_the_package_is_kept_by_its_name_in_a_function_that_uses_it() -> None:
    assert pickle.loads(cloudpickle.dumps(lambda: lg))() is lg
