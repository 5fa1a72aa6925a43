"""Where what is driven is looked at: in a notebook, or elsewhere."""

import sys
from typing import Any


def is_notebook() -> bool:
    """Say whether this process is the kernel of a notebook."""
    if "ipykernel" not in sys.modules:
        return False
    from IPython import get_ipython

    return hasattr(get_ipython(), "kernel")


def show(value: Any) -> None:
    """Show something below the cell that runs."""
    from IPython.display import display

    display(value)
