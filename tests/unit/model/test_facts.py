"""Facts join in any order, in any grouping, and any number of times."""

from hypothesis import given
from hypothesis import strategies as st

from lineagegraph.model.runs.facts import (
    DatasetFacts,
    RunFacts,
    Span,
    Stamped,
    Use,
    decode_facts,
    encode_facts,
)
from lineagegraph.model.runs.states import EventType

TIMES = st.integers(0, 5).map(lambda minute: f"2026-01-01T00:0{minute}")
SPANS = st.tuples(TIMES, TIMES).map(lambda pair: Span(min(pair), max(pair)))
STAMPED = st.builds(Stamped, st.integers(0, 1), TIMES, st.sampled_from(["x", "y", 1, ["a", "b"]]))
SAID = st.dictionaries(st.sampled_from(["name", "parent"]), STAMPED, max_size=2)
COLUMNS = st.dictionaries(st.sampled_from(["h1", "h2"]), SPANS, max_size=2)
USES = st.dictionaries(
    st.just("d1"), st.builds(Use, st.just("ns"), st.just("d"), SPANS, SAID, COLUMNS), max_size=1
)
RUNS = st.builds(
    RunFacts,
    heard_at=st.none() | TIMES,
    times=st.dictionaries(st.sampled_from(EventType), SPANS, max_size=3),
    said=SAID,
    inputs=USES,
    outputs=USES,
)
DATASETS = st.builds(DatasetFacts, st.just("ns"), st.just("d"), SAID)


@given(RUNS, RUNS, RUNS)
def test_facts_of_runs_join_in_any_order_and_grouping(
    a: RunFacts, b: RunFacts, c: RunFacts
) -> None:
    assert a | b == b | a
    assert (a | b) | c == a | (b | c)


@given(RUNS)
def test_facts_of_a_run_joined_with_themselves_are_the_same(facts: RunFacts) -> None:
    assert facts | facts == facts


@given(DATASETS, DATASETS)
def test_facts_of_datasets_join_in_any_order(a: DatasetFacts, b: DatasetFacts) -> None:
    assert a | b == b | a
    assert (a | b) | b == a | b


@given(RUNS, RUNS)
def test_equal_facts_have_one_text_and_come_back_from_it(a: RunFacts, b: RunFacts) -> None:
    assert encode_facts(a | b) == encode_facts(b | a)
    assert decode_facts(encode_facts(a), RunFacts) == a
