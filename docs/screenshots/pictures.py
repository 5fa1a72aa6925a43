"""All pictures, by the name of the file."""

from collections.abc import Callable

from playwright.sync_api import Locator

from docs.screenshots import explorer, freshness_board
from docs.screenshots.stage import Stage

PICTURES: dict[str, Callable[[Stage], Locator]] = {
    "explorer": explorer.selected,
    "explorer_column": explorer.traced,
    "explorer_dark": explorer.dark,
    "freshness_board": freshness_board.stale,
}
