"""Entry point of `python -m lineagegraph.cli`."""

from lineagegraph.cli import main

main()
