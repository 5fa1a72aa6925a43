"""Datasets, their tags and their owners on the command line."""

import json
from pathlib import Path

import pytest

from lineagegraph.graph import Graph
from lineagegraph.neo4j_server import ServerAddress
from tests.acceptance.daily import seed
from tests.command_line import CommandLine


@pytest.fixture
def said(graph: Graph, server: ServerAddress, tmp_path: Path) -> CommandLine:
    seed(graph, tmp_path)
    return CommandLine(server)


def test_datasets_are_listed_with_their_tags_also_those_of_columns(said: CommandLine) -> None:
    lines = said("datasets").stdout.splitlines()
    assert lines[0].split() == ["DATASET", "NAMESPACE", "WRITTEN", "LAST", "USE", "TAGS", "OWNERS"]
    assert [line.split()[:2] for line in lines[1:]] == [["gold", "lake"], ["raw", "lake"]]
    assert "price: PII" in lines[2]
    (row,) = json.loads(said("datasets", "--tag", "PII", "--json").stdout)
    assert (row["namespace"], row["name"]) == ("lake", "raw")
    assert "1 more" in said("datasets", "--limit", "1").stderr
    assert said("datasets", "--namespace", "nowhere").returncode == 1


def test_a_search_finds_jobs_and_datasets_by_names_tags_and_columns(said: CommandLine) -> None:
    assert "raw" in said("search", "pii").stdout
    found = [line.split()[:3] for line in said("search", "load").stdout.splitlines()[1:]]
    assert [name for _, name, _ in found] == ["load", "load.copy", "load_raw"]
    assert "gold" in said("search", "total").stdout
    nothing = said("search", "nowhere")
    assert (nothing.returncode, nothing.stdout) == (0, "")
    assert "no job or dataset has 'nowhere'" in nothing.stderr


def test_tags_are_attached_to_a_table_or_a_column_and_taken_off(said: CommandLine) -> None:
    assert said("tag", "gold", "BETA", "GOLD").stdout == "gold: BETA, GOLD\n"
    assert said("tag", "gold", "BETA", "--remove").stdout == "gold: GOLD\n"
    assert said("tag", "gold#total").stdout == "gold#total: no tags\n"
    assert said("tag", "gold#total", "PII").stdout == "gold#total: PII\n"
    assert said("tag", "load", "NIGHTLY").stdout == "load: NIGHTLY\n"
    assert "1 to 200 characters" in said("tag", "gold", "").stderr


def test_owners_are_stated_and_listed_of_one_or_of_all(said: CommandLine) -> None:
    assert "–" in said("owners", "gold").stdout
    stated = said("owners", "gold", "--set", "team:sales", "--set", "ann").stdout
    assert "team:sales, ann" in stated
    assert "itself" in stated
    assert said("owners").stdout.rstrip().endswith("itself")
    assert "gold" in said("datasets", "--owner", "ann").stdout
    assert said("owners", "--set", "ann").returncode == 2


def test_a_wrong_name_is_answered_with_near_ones_or_a_command_that_finds_them(
    said: CommandLine,
) -> None:
    assert "did you mean load, gold?" in said("lineage", "glod").stderr
    assert "did you mean report?" in said("trigger", "why", "repport").stderr
    assert "`lineagegraph search TEXT`" in said("lineage", "xyzzy").stderr
