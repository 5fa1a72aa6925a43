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

    # job key of each run and declaration that was placed, by id
    placed: dict[str, str] = field(default_factory=dict)
    left: set[str] = field(default_factory=set)  # keys of jobs that lost runs or declarations
    moved_runs: set[str] = field(default_factory=set)  # ids of runs that were in another job
    # keys of declarations that were of another job
    moved_declarations: set[str] = field(default_factory=set)
    new_jobs: set[str] = field(default_factory=set)  # keys of jobs that got their first run
    routes: set[tuple[str, str]] = field(default_factory=set)  # old and new job key of moved runs
    # keys of jobs that may adopt runs, or lose adopted ones
    touched: set[str] = field(default_factory=set)
    # moves that this transaction may still do
    room: int = field(default_factory=lambda: MOST_MOVES)
    on_cycle: set[str] = field(default_factory=set)  # ids of runs whose new parent is below them
    is_cut: bool = False  # whether the limit left moves for later transactions
