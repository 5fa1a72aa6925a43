"""Whom a connection to Neo4j trusts."""

import ssl
from pathlib import Path
from typing import Any

from neo4j import TrustCustomCAs

from lineagegraph.errors import SettingsError

_ENCRYPTED = ("neo4j+s://", "bolt+s://")


def trusting(uri: str, ca: Path | None) -> tuple[str, dict[str, Any]]:
    """Return an address for the driver, and its options that trust only the authorities of a file.

    Raise `SettingsError` if the file has none, or the address is not encrypted.
    """
    if ca is None:
        return uri, {}
    if not uri.startswith(_ENCRYPTED):
        raise SettingsError(
            f"setting neo4j_ca: {uri} is not encrypted: write it as neo4j+s:// or bolt+s://"
        )
    try:
        ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT).load_verify_locations(ca)
    except (OSError, ValueError) as error:
        raise SettingsError(
            f"setting neo4j_ca: {ca} has no certificate ({error}): name a PEM file of authorities"
        ) from None
    # The driver takes own authorities only with the schemes that leave encryption open.
    address = uri.replace("+s://", "://", 1)
    return address, {"encrypted": True, "trusted_certificates": TrustCustomCAs(str(ca))}


def distrust_of(error: BaseException) -> str | None:
    """Return why a certificate was refused, if that is what an error of the driver came from."""
    seen: BaseException | None = error
    while seen is not None:
        if isinstance(seen, ssl.SSLCertVerificationError):
            return seen.verify_message
        seen = seen.__cause__ or seen.__context__
    return None
