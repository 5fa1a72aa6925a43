"""IPython's shell and display, if this process runs in one."""

import sys
from typing import Any


def current_shell() -> Any:
    """Return IPython's shell, or None outside of one; IPython itself is not imported here."""
    ipython = sys.modules.get("IPython")
    return ipython.get_ipython() if ipython else None


def is_notebook() -> bool:
    """Return whether this process is the kernel of a notebook."""
    return "ipykernel" in sys.modules and hasattr(current_shell(), "kernel")


def show(value: Any) -> None:
    """Display a value below the running cell."""
    from IPython.display import display

    display(value)
