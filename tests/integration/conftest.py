"""A project of pipelines."""

import pytest

from tests.project import Project


@pytest.fixture
def project(graph, server, tmp_path):
    return Project(
        tmp_path / "project",
        graph,
        tmp_path / "home",
        cache=tmp_path / "cache",
        neo4j_uri=server.bolt,
        neo4j_user=server.user,
        neo4j_password=server.password,
    )
