"""One sensor process: `python -m lineagegraph.sensing`."""

import argparse

from lineagegraph.process_environment.modules import search_folder
from lineagegraph.sensing.process import run_process


def main() -> None:
    """Poke sensors until a signal stops the process."""
    parser = argparse.ArgumentParser(prog="python -m lineagegraph.sensing")
    parser.add_argument("--child", action="store_true", help="leave when standard input ends")
    parser.add_argument("--notes", type=int, help="descriptor of the memory shared with the parent")
    given = parser.parse_args()
    search_folder()
    run_process(is_child=given.child, notes=given.notes)


if __name__ == "__main__":
    main()
