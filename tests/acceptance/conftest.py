"""A real browser, for tests of pages."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.chromium import chromium


# Of a module, not of all: while Playwright runs, no test of its process may have an event loop.
@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """The browser; names below `evil.test` lead to this machine."""
    with sync_playwright() as playwright:
        args = ["--no-sandbox", "--host-resolver-rules=MAP *.evil.test 127.0.0.1"]
        # A page of a busy machine is slow, not wrong.
        expect.set_options(timeout=20_000)
        browser = playwright.chromium.launch(executable_path=chromium(), args=args)
        yield browser
        browser.close()


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A page whose uncaught errors fail the test."""
    with browser.new_context(viewport={"width": 1400, "height": 1000}) as context:
        page = context.new_page()
        errors: list[object] = []
        page.on("pageerror", lambda error: errors.append(error))
        yield page
        assert not errors, errors
