"""`python -m lineagegraph.cli` is the console script."""

from lineagegraph.cli import main

main()
