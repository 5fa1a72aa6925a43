"""The pictures of the page: `python -m docs.screenshots.page URL` takes them anew.

URL is where the server of `lineagegraph demo` serves the page. The pictures show the folder of the
demo: run it with `--folder` and `LINEAGEGRAPH_HOME` below a neutral one, such as `/srv`.
"""

import argparse
from dataclasses import dataclass
from pathlib import Path
from typing import Literal
from urllib.parse import quote

from playwright.sync_api import Browser, expect, sync_playwright

from tests.chromium import chromium

_IMAGES = Path(__file__).parents[1] / "images"
_MOST_BYTES = 200_000
_SECONDS = 60


@dataclass(frozen=True)
class PagePicture:
    """An address of the page, a text that is there once its answers are, and what is taken."""

    address: str
    text: str
    width: int = 1200
    height: int = 760  # in CSS pixels; a whole page is as high as it needs
    whole: bool = False
    scheme: Literal["light", "dark"] = "light"


PICTURES = {
    "page_now": PagePicture("now", "Stale in 12 hours"),
    "page_phone": PagePicture("now", "Stale in 12 hours", width=390, whole=True),
    "page_lineage": PagePicture("lineage/{table}", "read by", scheme="dark"),
    "page_freshness": PagePicture(
        "freshness/dataset:warehouse:gold.fares", "owner", height=560, scheme="dark"
    ),
}


def main() -> None:
    """Take all pictures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("url", help="where the page is, such as http://127.0.0.1:8642")
    url = parser.parse_args().url.rstrip("/")
    expect.set_options(timeout=_SECONDS * 1000)
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=chromium(), args=["--no-sandbox"])
        for name, picture in PICTURES.items():
            file = _IMAGES / f"{name}.png"
            _take(browser, url, picture, file)
            size = file.stat().st_size
            print(f"{file.name}: {size:,} bytes")
            assert size <= _MOST_BYTES, f"{name} is too large for the documentation"


def _take(browser: Browser, url: str, picture: PagePicture, file: Path) -> None:
    size = {"width": picture.width, "height": picture.height}
    with browser.new_context(viewport=size, color_scheme=picture.scheme) as context:  # type: ignore[arg-type]
        found = context.request.post(
            f"{url}/api/v1/views/explorer/search", data={"text": "daily_delay"}
        )
        page = context.new_page()
        page.goto(f"{url}/#/{picture.address.format(table=quote(found.json()[0], safe=''))}")
        view = page.locator("#view")
        expect(view).to_contain_text(picture.text)
        expect(view.locator(".lg-notice")).to_be_hidden()
        page.screenshot(path=file, full_page=picture.whole)


if __name__ == "__main__":
    main()
