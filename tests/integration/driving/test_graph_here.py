"""The graph that this process drives runs in."""

from lineagegraph.client.connected_graph import graph_here
from lineagegraph.settings import load_settings


def test_it_is_kept_until_the_settings_name_another(server, monkeypatch):
    monkeypatch.setenv("LINEAGEGRAPH_NEO4J_URI", server.bolt)
    monkeypatch.setenv("LINEAGEGRAPH_NEO4J_PASSWORD", server.password)
    load_settings.cache_clear()
    first = graph_here()
    assert graph_here() is first
    monkeypatch.setenv("LINEAGEGRAPH_NEO4J_URI", server.bolt.replace("127.0.0.1", "localhost"))
    load_settings.cache_clear()
    assert graph_here() is not first
    assert first.query("RETURN 1 AS one") == [{"one": 1}]
