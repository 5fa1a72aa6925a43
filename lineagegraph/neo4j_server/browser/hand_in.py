"""What Browser's opening page is given on the way: scripts to save, and the login."""

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

    Browser's opening page takes it from behind the `#`, which no server gets to see; and as the
    file is for its user alone, nor does anybody who lists the machine's processes.
    """
    target = msgspec.json.encode(f"{address}#{quote(password, safe='')}").decode()
    # What a link holds is percent-encoded, so nothing in it ends the script.
    page = folder.run / "browser.html"
    write_whole(page, f"<!doctype html><script>location.replace({target})</script>\n")
    return page.absolute().as_uri()
