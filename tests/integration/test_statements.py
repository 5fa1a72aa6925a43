"""The Cypher files as a set: each bound once, understood by the server, and honest in its name."""

import importlib
import pkgutil
import re
from collections import Counter
from types import FunctionType
from typing import Any, get_args, get_type_hints

import msgspec
import pytest

from lineagegraph import store
from lineagegraph.graph import Graph, migrations
from lineagegraph.graph.binding import OVER
from lineagegraph.graph.statements import READING, list_statements, statement, summary
from tests.conftest import WIPE

WRITES = ("merge_", "link_", "set_", "claim_", "settle_", "release_", "delete_")


def bound_functions() -> list[FunctionType]:
    found = []
    modules = [
        module.name for module in pkgutil.walk_packages(store.__path__, f"{store.__name__}.")
    ]
    for module in [*modules, migrations.__name__]:
        for member in vars(importlib.import_module(module)).values():
            if hasattr(member, "statement") and member.__module__ == module:
                found.append(member)
    return found


FUNCTIONS = bound_functions()
BOUND = {function.statement: function for function in FUNCTIONS}  # type: ignore[attr-defined]
NAMES = list_statements()


# A key that may be left out (`$key IS NULL OR j.key = $key`) is found by no index.
BY_KEY = re.compile(r"(?<!OR )\b(\w+)\.(id|key|hash) = (?!\1\b)")
FOUND_OTHERWISE = re.compile(r"(?<!Unique)IndexSeek|IndexScan|LabelScan|AllNodes")


@pytest.fixture(scope="module", autouse=True)
def empty(connection: Graph) -> None:
    """Plan for an empty graph: counts that other tests left would choose other plans each time."""
    with connection.autocommit() as session:
        session.run(WIPE).consume()
        session.run("CALL db.clearQueryCaches()").consume()


def parameters_of(text: str) -> set[str]:
    return set(re.findall(r"\$(\w+)", text))


def explain(graph: Graph, text: str) -> Any:
    with graph.autocommit() as session:
        return session.run("EXPLAIN " + given(text), given={}).consume()


def given(text: str) -> str:
    """A statement as it is sent: with one map of parameters."""
    return re.sub(r"\$(\w+)", r"$given.\1", text)


def test_every_statement_is_bound_to_one_function_and_every_function_has_a_statement() -> None:
    names = Counter(function.statement for function in FUNCTIONS)  # type: ignore[attr-defined]
    assert set(names) == set(NAMES)
    assert max(names.values()) == 1


@pytest.mark.parametrize("name", NAMES)
def test_a_statement_begins_with_one_sentence(name: str) -> None:
    assert statement(name).startswith("// ")
    assert summary(name).endswith(".")
    assert len(statement(name).splitlines()[0]) <= 110


@pytest.mark.parametrize("name", sorted(BOUND))
def test_a_function_takes_what_its_statement_needs(name: str) -> None:
    assert parameters_of(statement(name)) == BOUND[name].parameters  # type: ignore[attr-defined]


@pytest.mark.parametrize("name", sorted(BOUND))
def test_a_statement_over_a_list_does_nothing_without_rows(name: str) -> None:
    over = OVER & BOUND[name].parameters  # type: ignore[attr-defined]
    for parameter in over:
        assert re.search(rf"UNWIND \${parameter} |IN \${parameter}\b", statement(name))


@pytest.mark.parametrize("name", NAMES)
def test_the_server_understands_a_statement_and_its_verb_tells_its_access(
    connection: Graph, name: str
) -> None:
    verb = name.rpartition("/")[2]
    plan = explain(connection, statement(name))
    # To end another's transaction is no write for the server, and no reading for people.
    reads = plan.query_type == "r" and "TERMINATE" not in statement(name)
    assert verb.startswith(READING if reads else WRITES), plan.query_type


@pytest.mark.parametrize("name", sorted(BOUND))
def test_the_columns_of_a_statement_are_the_fields_of_its_row(connection: Graph, name: str) -> None:
    hints = get_type_hints(BOUND[name])["return"]
    rows = [part for part in (hints, *get_args(hints)) if hasattr(part, "__struct_fields__")]
    text = statement(name)
    with connection.autocommit() as session:
        keys = list(session.run("EXPLAIN " + given(text), given={}).keys())
    if keys == ["rows"]:
        keys = collected(text)
        if rows and rows[0].__struct_config__.array_like:
            assert list(keys) == list(rows[0].__struct_fields__)
    if rows:
        fields = msgspec.structs.fields(rows[0])
        assert {field.name for field in fields if field.required} <= set(keys)
        assert set(keys) <= {field.name for field in fields}
    else:
        assert len(keys) <= 1


def collected(text: str) -> list[str]:
    """The keys of the map, or the items of the list, that a statement collects into `rows`."""
    parts, depth = [""], 0
    collects = text[text.rindex("RETURN collect(") :].removeprefix("RETURN collect(")
    for letter in collects[1:] if collects[0] in "{[" else collects:
        depth += (letter in "({[") - (letter in ")}]")
        if depth < 0:
            break
        if letter == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += letter
    return [part.strip().lstrip(".").partition(":")[0] for part in parts]


@pytest.mark.parametrize("name", NAMES)
def test_a_node_is_found_by_its_key(connection: Graph, name: str) -> None:
    """In a small graph another index seems as good, and its plan stays while the graph grows."""
    plan = explain(connection, statement(name)).plan["args"]["string-representation"]
    rows = plan.splitlines()
    for number, row in enumerate(rows):
        if "+Filter" in row and BY_KEY.search(row):
            assert not FOUND_OTHERWISE.search(" ".join(rows[number : number + 4])), plan


def test_labels_and_relationships_that_are_read_are_written_somewhere() -> None:
    writing = [name for name in NAMES if name.rpartition("/")[2].startswith(WRITES)]
    written = "\n".join(map(statement, writing))
    for name in set(NAMES) - set(writing):
        for word in spoken(statement(name)):
            assert re.search(rf":{word}\b|\|{word}\b", written), (name, word)


def spoken(text: str) -> set[str]:
    """The labels and relationship types in a statement."""
    code = re.sub(r"//.*|'[^']*'", "", text)
    inside = re.findall(r"[(\[]\w*:([\w|&!:]+)", code)
    return {word for words in inside for word in re.findall(r"[A-Z]\w+", words)}


@pytest.mark.parametrize("name", NAMES)
def test_a_walk_begins_at_nodes_that_were_found(connection: Graph, name: str) -> None:
    """With a label inside of a walk, its plan may read that label's index for each step."""
    plan = explain(connection, statement(name)).plan["args"]["string-representation"]
    if "+Repeat" in plan:
        assert not re.search(r"IndexScan|LabelScan|AllNodes", plan), plan
