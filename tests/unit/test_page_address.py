"""The address of the page in links: that of a setting, or of the server if it names one."""

from pathlib import Path
from typing import Any

import pytest

from lineagegraph.settings import Settings
from lineagegraph.views.page_address import page_address


@pytest.mark.parametrize(
    ("stated", "address"),
    [
        ({}, "http://127.0.0.1:8642"),
        ({"host": "::1", "port": 9000}, "http://[::1]:9000"),
        ({"host": "graph", "tls_certificate": Path("cert.pem")}, "https://graph:8642"),
        ({"host": "0.0.0.0"}, None),
        ({"port": 0}, None),
        (
            {"host": "0.0.0.0", "page_url": "https://lineage.example.org/"},
            "https://lineage.example.org",
        ),
    ],
)
def test_the_page_has_the_address_of_its_server_unless_a_setting_names_another(
    stated: dict[str, Any], address: str | None
) -> None:
    assert page_address(Settings(**stated)) == address
