"""Progress of a query below its cell."""

from typing import Any, Self

from IPython import get_ipython
from IPython.display import DisplayHandle, display

_SILENT_SECONDS = 1.0
_STEP_SECONDS = 0.5


class QueryProgress:
    """One line that follows a long query, in notebooks; nothing is shown of a short one."""

    def __init__(self) -> None:
        self._handle: DisplayHandle | None = None
        self._shown = 0.0
        self._has_page = hasattr(get_ipython(), "kernel")

    def show(self, seconds: float, rows: int) -> None:
        """Show how long it takes so far, and how many rows there are."""
        if not self._has_page or seconds < max(_SILENT_SECONDS, self._shown + _STEP_SECONDS):
            return
        self._shown = seconds
        self._show(f"{seconds:.0f} s, {rows:,} rows so far: Interrupt ends the query")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        if self._handle is not None:
            self._show(f"took {self._shown:.0f} s")

    def _show(self, text: str) -> None:
        content: dict[str, Any] = {"text/plain": text}
        if self._handle is None:
            self._handle = display(content, raw=True, display_id=True)
        else:
            self._handle.update(content, raw=True)
