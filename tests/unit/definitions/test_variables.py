"""Variables as definitions read them: handed over, noted, and never reached into."""

import pytest

import lineagegraph as lg
from lineagegraph.authoring.variables import GivenVariables, offering
from lineagegraph.errors import DefinitionError, InvalidName, InvalidVariable, VariableNotSet
from lineagegraph.model.pipelines.variables import MOST_BYTES, variable_text
from lineagegraph.reading.parser import parse
from lineagegraph.testing import variables


def test_a_definition_gets_the_values_that_its_reader_hands_over(write, root):
    file = write(
        "p.py",
        """
        for client in lg.variable("clients", default=["none"]):
            tasks = [lg.command("load", ["true"])]
            if lg.variable(f"csat/{client}", default=False):
                tasks.append(lg.command("csat", ["true"], after="load"))
            lg.pipeline(client, tasks=tasks)
        """,
    )

    def shapes(**values):
        parsed = parse(file, root, 20.0, variables=values)
        pipelines = [one.version.pipeline for one in parsed]
        return {one.name: [task.name for task in one.tasks] for one in pipelines}

    assert shapes() == {"none": ["load"]}
    both = {"clients": ["acme", "zeta"], "csat/acme": True}
    assert shapes(**both) == {"acme": ["load", "csat"], "zeta": ["load"]}


def test_a_definition_that_needs_a_value_which_is_not_set_names_it_and_its_line(write, root):
    file = write("p.py", 'lg.variable("clients")')
    with pytest.raises(DefinitionError, match=r"p\.py:3: .*'clients' is not set: .*variable set"):
        parse(file, root, 20.0)


def test_what_was_asked_for_is_noted_with_what_was_found():
    with offering(handed := GivenVariables({"a": [1], "b": 2})):
        assert lg.variable("a") == [1]
        assert lg.variable("c", default="none") == "none"
        with pytest.raises(VariableNotSet):
            lg.variable("d")
    assert handed.seen == {"a": [1], "c": None, "d": None}


def test_a_value_that_is_changed_by_its_reader_stays_as_it_was_for_others():
    with variables(regions=["EU"]):
        lg.variable("regions").append("US")
        assert lg.variable("regions") == ["EU"]


def test_values_for_a_test_hide_all_others_and_end_with_it():
    with variables({"csat/acme": True}, region="EU"):
        assert (lg.variable("csat/acme"), lg.variable("region")) == (True, "EU")
        with variables(region="US"):
            assert lg.variable("region") == "US"
            assert lg.variable("csat/acme", default=None) is None
        assert lg.variable("region") == "EU"


@pytest.mark.parametrize("name", ["", " a", "a\n", "x" * 201, None, 7])
def test_a_name_that_nobody_could_type_is_refused(name):
    with variables(), pytest.raises(InvalidName, match="not a valid variable name"):
        lg.variable(name)


@pytest.mark.parametrize("value", [None, float("nan"), {1, 2}, object(), "x" * MOST_BYTES])
def test_a_value_that_cannot_be_kept_is_refused_by_name(value):
    with pytest.raises(InvalidVariable, match=r"variable a: "):
        variable_text("a", value)
