"""`trigger why`: the state of a trigger's condition, drawn as a tree."""

import msgspec
from rich.text import Text
from rich.tree import Tree

from lineagegraph.cli.console import errors, is_wide, print_table, results
from lineagegraph.cli.formatting import clock, moment, reason
from lineagegraph.model.runs.states import FINAL, SUCCEEDED
from lineagegraph.queries.triggers.describe_why import (
    DescribedCondition,
    describe_refused,
    describe_standings,
    describe_waiting,
)
from lineagegraph.queries.triggers.why import Why
from lineagegraph.store.runs.history import FiringRow
from lineagegraph.text import format_count
from lineagegraph.triggers.preview import Foreseen, Preview
from lineagegraph.triggers.preview.compare import RuleDifference

_TONES = {"good": "green", "bad": "yellow", "soft": "dim"}


def print_why(why: Why) -> None:
    """Print why a trigger has fired or not."""
    trigger = why.trigger.trigger
    results.print(Text.assemble((trigger.starts or "", "bold"), f" starts when {trigger.text}"))
    if not trigger.enabled:
        because = f": {trigger.suspended_because}" if trigger.suspended_because else "."
        since = clock(trigger.suspended_at)
        results.print(Text(f"It has been suspended since {since}{because}", "yellow"))
    for cell in describe_standings(why):
        results.print(draw(cell))
    for firing in why.waiting:
        results.print(Text(describe_waiting(firing), "yellow" if firing.state == "HELD" else "red"))
        results.print(Text(f"  {firing.key}  {reason(firing.reason)}", "dim"))
    for one in why.refused:
        results.print(Text(reason(describe_refused(one)), "dim"))
    if why.trigger.firings:
        latest = why.trigger.firings[0]
        results.print(f"It fired last at {clock(latest.fired_at)}: {reason(latest.reason)}")
        if latest.started:
            results.print(_outcome(latest, why.reruns))
    else:
        results.print("It has never fired.")


def _outcome(firing: FiringRow, reruns: int) -> str:
    """Return a sentence about the runs of a firing."""
    states = [run.state or "PENDING" for run in firing.started]
    more = f", after {len(states) - 1} of at most {reruns} reruns" if reruns else ""
    succeeded = [state for state in states if state in SUCCEEDED]
    state = succeeded[0] if succeeded else min(states, key=FINAL.__contains__)
    return f"Its run is {state}{more}."


def draw(condition: DescribedCondition) -> Tree:
    """Return a condition as a tree."""
    mark = ("✓ ", "green") if condition.is_true else ("✗ ", "red")
    tree = Tree(Text.assemble(mark, condition.text))
    for line in condition.lines:
        tree.add(Text(line.text, _TONES[line.tone]))
    for part in condition.parts:
        tree.add(draw(part))
    return tree


_REFUSED = 5


def print_preview(found: Preview) -> None:
    """Print when a rule would have fired; notes go to standard error."""
    columns = ("WHEN", "BECAUSE", "IT WOULD HAVE PASSED")
    empty = f"it would not have fired since {clock(found.since)}, with {found.happened} occurrences"
    print_table(columns, map(_row, found.firings), empty)
    for text in found.refused[:_REFUSED]:
        errors.print(f"would not have counted: {text}")
    for note in found.notes:
        errors.print(note)


def print_change(found: RuleDifference) -> None:
    """Print the firings of only one of two rules; notes go to standard error."""
    columns = ("", "WHEN", "BECAUSE", "IT WOULD HAVE PASSED")
    rows = [("-", *_row(one)) for one in found.lost] + [("+", *_row(one)) for one in found.added]
    print_table(columns, rows, "both rules would have fired at the same times")
    errors.print(f"{format_count(found.same, 'firing')} of both rules")
    for one in found.forgotten:
        held = format_count(one.occurrences, "held occurrence")
        errors.print(f"the other rule forgets {held} of {one.text}")


def _row(one: Foreseen) -> tuple[str | Text, ...]:
    wide = is_wide()
    passed = Text(msgspec.json.encode(one.parameters).decode())
    if one.trouble:
        passed.append(f"\n{one.trouble}", "red")
    return moment(one.at, wide), reason(one.reason, wide), passed
