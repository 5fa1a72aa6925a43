"""Changes from moving runs between jobs, and their limit in one transaction."""

from dataclasses import dataclass, field

MOST_MOVES = 2000


@dataclass
class Moves:
    """The changes of placing: the job of each run or declaration, and the affected jobs.

    `moved_runs` and `moved_declarations` were in another job before, one of those in `left`;
    `routes` are the old and the new job of runs. `new_jobs` had no run of their own before. The
    jobs in `touched` may adopt runs, or lose those that they adopted.
    """

    placed: dict[str, str] = field(default_factory=dict)
    left: set[str] = field(default_factory=set)
    moved_runs: set[str] = field(default_factory=set)
    moved_declarations: set[str] = field(default_factory=set)
    new_jobs: set[str] = field(default_factory=set)
    routes: set[tuple[str, str]] = field(default_factory=set)
    touched: set[str] = field(default_factory=set)
    room: int = field(default_factory=lambda: MOST_MOVES)
    is_cut: bool = False
