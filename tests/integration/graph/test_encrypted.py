"""A Neo4j with a certificate of a company's own authority is reached, and no other is trusted."""

from pathlib import Path

import pytest
import trustme

from lineagegraph.errors import GraphUnreachable, SettingsError
from lineagegraph.graph import Graph
from lineagegraph.neo4j_server import ServerAddress
from lineagegraph.settings import Settings
from lineagegraph.store.connect import connect, connect_running


def encrypted(server: ServerAddress, settings: Settings, scheme: str, ca: Path | None) -> Settings:
    """Settings that name the session's server as somebody's own."""
    return Settings(
        home=settings.home,
        neo4j_uri=server.bolt.replace("bolt", scheme, 1),
        neo4j_password=server.password,
        neo4j_ca=ca,
    )


@pytest.mark.parametrize("scheme", ["bolt+s", "neo4j+s"])
def test_own_authorities_are_trusted(
    server: ServerAddress, settings: Settings, scheme: str
) -> None:
    own = encrypted(server, settings, scheme, settings.home / "certificates" / "ca.pem")
    with connect(own) as graph:
        assert graph.query("RETURN 1 AS one") == [{"one": 1}]
    found = connect_running(own)
    assert found is not None
    found.close()


@pytest.mark.parametrize("is_other", [True, False])
def test_a_certificate_of_another_authority_is_refused_with_the_setting(
    server: ServerAddress, settings: Settings, tmp_path: Path, is_other: bool
) -> None:
    other = tmp_path / "other.pem"
    trustme.CA().cert_pem.write_to_path(other)
    own = encrypted(server, settings, "bolt+s", other if is_other else None)
    with pytest.raises(GraphUnreachable, match=r"not trusted .*LINEAGEGRAPH_NEO4J_CA") as caught:
        connect(own)
    assert "\n" not in str(caught.value)


def test_authorities_need_an_encrypted_address_and_a_file(
    server: ServerAddress, settings: Settings, tmp_path: Path
) -> None:
    with pytest.raises(SettingsError, match=r"neo4j_ca: bolt://.*bolt\+s://"):
        Graph(server.bolt, server.user, server.password, ca=tmp_path / "ca.pem")
    empty = tmp_path / "empty.pem"
    empty.touch()
    for path in (empty, tmp_path / "none.pem"):
        with pytest.raises(SettingsError, match=r"neo4j_ca: .*no certificate"):
            connect(encrypted(server, settings, "neo4j+s", path))
