"""All pictures, by the name of the file."""

from collections.abc import Callable

from playwright.sync_api import Locator

from docs.screenshots import (
    explorer,
    freshness_board,
    live_run,
    neo4j_browser,
    run_history,
    tasks,
    trigger_panel,
)
from docs.screenshots.stage import Stage

PICTURES: dict[str, Callable[[Stage], Locator]] = {
    "explorer": explorer.selected,
    "explorer_column": explorer.traced,
    "explorer_dark": explorer.dark,
    "freshness_board": freshness_board.stale,
    "live_run": live_run.going_on,
    "neo4j_browser": neo4j_browser.guided,
    "run_history": run_history.over_time,
    "run_history_compared": run_history.compared,
    "tasks_rerun": tasks.rerun,
    "trigger_panel": trigger_panel.why_not,
    "trigger_panel_rule": trigger_panel.rule,
}
