"""IT operations': customers of several feeds, cleansed and without their names."""

from pathlib import Path

import lineagegraph as lg


@lg.task(emits={"location": str, "rows": int})
def standardize(day: str, feeds: list) -> None:
    """Write one line for each customer, and emit the location."""
    folder = Path("golden") / day
    folder.mkdir(parents=True, exist_ok=True)
    rows = [f"{feed},{number}" for feed in feeds for number in range(3)]
    (folder / "customers.csv").write_text("\n".join(rows) + "\n")
    lg.emit(location=folder.as_posix(), rows=len(rows))


lg.pipeline(
    "golden.customers",
    namespace="it-ops",
    tasks=[standardize],
    params={"day": str, "feeds": ["crm", "web"]},
)
