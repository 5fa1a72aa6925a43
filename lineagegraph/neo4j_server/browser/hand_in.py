"""Scripts and login for Browser's opening page."""

from urllib.parse import quote

import msgspec

from lineagegraph.neo4j_server.folder import Folder, write_whole
from lineagegraph.neo4j_server.lock import read_lock


def hand_in_scripts(folder: Folder, scripts: list[dict[str, str]]) -> None:
    """Let the opening page save scripts: each a `name`, a `folder` and its `content`."""
    served = folder.web / f"neo4j-browser-{read_lock().browser}" / "browser" / "guides"
    write_whole(served / "scripts.json", msgspec.json.encode(scripts).decode())


def login_page(folder: Folder, address: str, password: str) -> str:
    """Return the address of a file that opens an address of Browser with the password.

    Browser's opening page reads it after the `#`, which is not sent to a server; and the file is
    private to its user, so it does not appear in the list of processes either.
    """
    target = msgspec.json.encode(f"{address}#{quote(password, safe='')}").decode()
    # What a link holds is percent-encoded, so nothing in it ends the script.
    page = folder.run / "browser.html"
    write_whole(page, f"<!doctype html><script>location.replace({target})</script>\n")
    return page.absolute().as_uri()
