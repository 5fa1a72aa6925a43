"""A job is a name under a parent."""

from hypothesis import given
from hypothesis import strategies as st

from lineagegraph.model.names.keys import JobName, name_job

NAMES = st.text(st.sampled_from("ab."), min_size=1, max_size=6)


def place(*names: str) -> JobName:
    job = name_job("ns", names[0])
    for name in names[1:]:
        job = name_job("ns", name, job)
    return job


def test_the_chain_of_airflow_and_spark_reads_as_one_path() -> None:
    job = place("dag", "dag.extract", "nightly_app", "nightly_app.write_orders")
    assert job.fqn == "dag.extract.nightly_app.write_orders"
    assert job.simple_name == "write_orders"
    assert job.name == "nightly_app.write_orders"


def test_a_name_that_merely_begins_like_its_parent_keeps_all_of_itself() -> None:
    assert place("dag", "dagger").simple_name == "dagger"
    assert place("dag", "dag.").simple_name == "dag."


def test_the_same_name_under_two_parents_is_two_jobs() -> None:
    assert place("hourly", "app").key != place("daily", "app").key


def test_the_same_name_in_two_namespaces_is_two_jobs() -> None:
    assert name_job("a", "x").key != name_job("b", "x").key


@given(names=st.lists(NAMES, min_size=1, max_size=4))
def test_an_fqn_ends_with_the_simple_name_and_begins_with_the_parents(names: list[str]) -> None:
    job = place(*names)
    assert job.fqn.endswith(job.simple_name)
    if len(names) > 1:
        assert job.fqn == f"{place(*names[:-1]).fqn}.{job.simple_name}"


@given(names=st.lists(NAMES, min_size=2, max_size=4))
def test_no_job_has_its_parents_key(names: list[str]) -> None:
    assert place(*names).key != place(*names[:-1]).key


def test_a_deep_hierarchy_keeps_few_other_names_and_none_that_is_long() -> None:
    deep = place(*(f"level{number}" for number in range(1_000)))
    assert deep.aliases[0] == ("ns", "level999")
    assert len(deep.aliases) == 8
    long = place(*(f"{number}{'x' * 1_980}" for number in range(20)))
    assert [len(alias.name) for alias in long.aliases] == [1_982]


@given(names=st.lists(st.integers(0, 3), min_size=2, max_size=12), size=st.integers(1, 1_900))
def test_an_fqn_is_never_too_long_for_an_index_and_differs_where_names_differ(
    names: list[int], size: int
) -> None:
    long = place(*(f"{name}{'ä' * (size // 2)}" for name in names))
    other = place(f"9{'ä' * (size // 2)}", *(f"{name}{'ä' * (size // 2)}" for name in names[1:]))
    assert len(long.fqn.encode()) <= 4_000
    assert long.fqn.endswith(long.simple_name)
    assert long.fqn != other.fqn
