"""The reference of the HTTP API at `/docs`."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Browser, expect

from tests.acceptance.page.site import Site


@pytest.mark.parametrize("host", ["127.0.0.1", "0.0.0.0"])
def test_the_reference_shows_all_paths_and_asks_no_other_server(
    serve: Callable[..., Site], browser: Browser, host: str
) -> None:
    site = serve(host=host)
    with browser.new_context(color_scheme="dark") as context:
        page = context.new_page()
        asked: list[str] = []
        page.on("request", lambda request: asked.append(request.url))
        page.goto(site.url)
        page.get_by_role("link", name="API", exact=True).click()
        expect(page.get_by_role("heading", name="lineagegraph")).to_be_visible()
        expect(page.get_by_role("link", name="triggers", exact=True)).to_be_visible()
        page.goto("about:blank")
        wrong: list[str] = []
        page.on("console", lambda line: wrong.append(line.text) if line.type == "error" else None)
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.goto(f"{site.url}/docs#/triggers/getForecast")
        # Swagger resolves an operation when it is opened, slowly beside other work.
        expect(page.get_by_text("The enabled rules are replayed forward")).to_be_visible(
            timeout=60_000
        )
        expect(page.locator("html")).to_have_class("dark-mode")
        answers = [url for url in asked if not url.startswith("data:")]
        assert {url.split("/")[2] for url in answers} == {site.url.split("/")[2]}
        assert wrong == []
        page.get_by_role("link", name="Back to the page").click()
        expect(page).to_have_url(f"{site.url}/")
