"""The page `docs/conformance.md`: `python -m tests.acceptance.conformance.page` writes it."""

from collections.abc import Iterable, Iterator
from pathlib import Path

from tests.acceptance.conformance.queries import THEMES
from tests.acceptance.conformance.query import queries_of
from tests.acceptance.conformance.table import read_table

PAGE = Path(__file__).parents[3] / "docs" / "conformance.md"
_HEAD = """\
# Conformance of the Spark capture

{count} queries run in one Spark session under our [capture](spark.md) and under OpenLineage's own
listener (`openlineage-spark_2.13` 1.53.0), and what both tell about datasets and columns is
compared. `make soak` runs all of them, `make test` some. The inputs and outputs of each query
are known: ours must name just these, or its run must be
[marked](spark.md#what-is-not-understood) as incomplete. Each difference to the listener is below;
the tests fail for one that is not, and for one that is gone.
"""
_LINES = """\
`reads a` and `writes b` are datasets, `b.x <- a.y` is a column whose values come from another,
`b <= a.z` a column that decides which rows there are. Paths begin at the folder of the tests.
"""


def render_page() -> str:
    """Return the text of the page."""
    rows, reasons = read_table()
    differing = {row.query for row in rows}
    queries = queries_of(*THEMES)
    marked = [query for query in queries if query.opaque]
    parts = [
        _HEAD.format(count=len(queries)),
        f"## Equal: {len(queries) - len(differing)}\n",
        "\n".join(_equal(differing)) + "\n",
        f"## Different: {len(differing)}\n",
        _LINES,
        "| query | only ours | only the listener's | reason |\n|---|---|---|---|",
        *(
            f"| {_title(row.query)} | {_code(row.ours)} | {_code(row.theirs)} | {why} |"
            for row in rows
            for why in [reasons[row.why] + (" Not always." if row.sometimes else "")]
        ),
        f"\n## Marked as incomplete: {len(marked)}\n",
        "| query | not understood |\n|---|---|",
        *(f"| {_title(query.name)} | {_code(query.opaque)} |" for query in marked),
    ]
    return "\n".join(parts) + "\n"


def _equal(differing: set[str]) -> Iterator[str]:
    for theme in THEMES:
        names = [query.name for query in queries_of(theme) if query.name not in differing]
        about = str(theme.__doc__).strip().rstrip(".").partition(":")[0]
        if names:
            yield f"- {about}: {', '.join(map(_title, names))}"


def _title(name: str) -> str:
    return name.replace("_", " ")


def _code(lines: Iterable[str]) -> str:
    return "<br>".join(f"`{line}`" for line in sorted(lines))


if __name__ == "__main__":
    PAGE.write_text(render_page())
