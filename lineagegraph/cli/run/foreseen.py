"""`trigger preview`: past firings of a rule, as a table."""

import msgspec
from rich.text import Text

from lineagegraph.cli.console import errors, is_wide, print_table
from lineagegraph.cli.formatting import clock, moment, reason
from lineagegraph.triggers.preview import Foreseen, Preview

_REFUSED = 5


def print_preview(found: Preview) -> None:
    """Print when a rule would have fired; notes go to standard error."""
    columns = ("WHEN", "BECAUSE", "IT WOULD HAVE PASSED")
    empty = (
        f"it would not have fired since {clock(found.since)}, on {found.happened} things that "
        "happened"
    )
    print_table(columns, map(_row, found.firings), empty)
    for text in found.refused[:_REFUSED]:
        errors.print(f"would not have counted: {text}")
    for note in found.notes:
        errors.print(note)


def _row(one: Foreseen) -> tuple[str | Text, ...]:
    wide = is_wide()
    passed = Text(msgspec.json.encode(one.parameters).decode())
    if one.trouble:
        passed.append(f"\n{one.trouble}", "red")
    return moment(one.at, wide), reason(one.reason, wide), passed
