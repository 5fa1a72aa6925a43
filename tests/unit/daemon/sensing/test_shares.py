"""All shards are somebody's, whoever comes and goes."""

from hypothesis import given
from hypothesis import strategies as st

from lineagegraph.sensing.shards import fair_share, to_claim, to_release

_IDS = st.sets(st.text("abcdef", min_size=1, max_size=4), min_size=1, max_size=9)


@given(st.integers(1, 200), _IDS)
def test_shares_make_up_the_whole_and_differ_by_one_at_most(shards: int, living: set[str]) -> None:
    shares = [fair_share(shards, living, me) for me in living]
    assert sum(shares) == shards
    assert max(shares) - min(shares) <= 1


@given(st.integers(1, 80), st.lists(_IDS, min_size=1, max_size=6))
def test_processes_that_come_and_go_end_with_their_shares(
    shards: int, changes: list[set[str]]
) -> None:
    owners: dict[int, str | None] = dict.fromkeys(range(shards))
    for living in changes:
        owners = {n: owner if owner in living else None for n, owner in owners.items()}
        for _ in range(2):
            for me in sorted(living):
                owners = _beat(owners, living, me)
        assert None not in owners.values()
        held = {me: sum(owner == me for owner in owners.values()) for me in living}
        assert held == {me: fair_share(shards, living, me) for me in living}


def _beat(owners: dict[int, str | None], living: set[str], me: str) -> dict[int, str | None]:
    mine = [number for number, owner in owners.items() if owner == me]
    share = fair_share(len(owners), living, me)
    left = owners | dict.fromkeys(to_release(mine, share))
    mine = [number for number, owner in left.items() if owner == me]
    return left | dict.fromkeys(to_claim(left, mine, share), me)
