"""Tokens that two people rotate or revoke at the same time."""

from datetime import timedelta
from zoneinfo import ZoneInfo

from lineagegraph.graph import Graph, Transaction
from lineagegraph.store.admin import tokens
from tests.integration.races.overlap import overlap

HOUR = timedelta(hours=1)


def add(graph: Graph) -> None:
    graph.write(
        tokens.merge_token,
        name="ci",
        hash="first",
        read=["*"],
        write=[],
        operate=[],
        admin=[],
        datasets=[],
        expires=None,
        now=None,
    )


def rotate(tx: Transaction, hash_: str) -> object:
    return tokens.set_rotated(tx, name="ci", hash=hash_, grace=HOUR, expires=None, now=None)


def test_a_token_is_revoked_by_its_time_in_any_zone(graph: Graph) -> None:
    add(graph)
    (found,) = graph.read(tokens.list_tokens)
    there = found.created_at.astimezone(ZoneInfo("Asia/Tokyo"))
    for at in (there + HOUR, there):
        graph.write(tokens.delete_token, name="ci", created_at=at)
        assert len(graph.read(tokens.list_tokens)) == (at != there)


def test_a_token_that_two_people_rotate_at_once_is_valid_for_both(graph: Graph) -> None:
    add(graph)
    overlap(graph, lambda tx: rotate(tx, "second"), lambda tx: rotate(tx, "third"))
    (found,) = graph.read(tokens.list_tokens)
    assert (found.hash, found.old_hash) == ("third", "second")


def test_a_token_that_is_revoked_as_it_is_rotated_is_unknown(graph: Graph) -> None:
    add(graph)
    found = overlap(
        graph,
        lambda tx: tokens.delete_token(tx, name="ci", created_at=None),
        lambda tx: rotate(tx, "second"),
    )
    assert found is None
