"""The Cypher files as a set: each bound once, understood by the server, and honest in its name."""

import importlib
import pkgutil
import re
from collections import Counter
from collections.abc import Callable, Iterable
from types import FunctionType
from typing import NamedTuple, get_args, get_type_hints

import msgspec
import pytest

from lineagegraph import store
from lineagegraph.graph import Graph, migrations, receipts
from lineagegraph.graph.binding import OVER, Transaction
from lineagegraph.graph.statements import READING, list_statements, statement, summary
from tests.conftest import WIPE

WRITES = ("merge_", "link_", "set_", "claim_", "settle_", "release_", "delete_")


def bound_functions() -> list[FunctionType]:
    found = []
    modules = [
        module.name for module in pkgutil.walk_packages(store.__path__, f"{store.__name__}.")
    ]
    for module in [*modules, migrations.__name__, receipts.__name__]:
        for member in vars(importlib.import_module(module)).values():
            if hasattr(member, "statement") and member.__module__ == module:
                found.append(member)
    return found


FUNCTIONS = bound_functions()
BOUND = {function.statement: function for function in FUNCTIONS}  # type: ignore[attr-defined]
NAMES = list_statements()


# A key that may be left out (`$key IS NULL OR j.key = $key`) is found by no index.
BY_KEY = re.compile(r"(?<!OR )(?<!OR cache\[)\b(\w+)\.(id|key|hash)\]? = (?!(?:cache\[)?\1\b)")
FOUND_OTHERWISE = re.compile(r"(?<!Unique)IndexSeek|IndexScan|LabelScan|AllNodes")


class Explained(NamedTuple):
    """What the server says of a statement."""

    query_type: str
    keys: list[str]
    plan: str


@pytest.fixture(scope="module")
def explained(connection: Graph) -> dict[str, Explained]:
    """All statements, planned for an empty graph.

    Counts that other tests left would choose other plans each time.
    """
    with connection.autocommit() as session:
        session.run(WIPE).consume()
        session.run("CALL db.clearQueryCaches()").consume()
        return {name: explain(session, statement(name)) for name in NAMES}


def faults(check: Callable[[str], None], names: Iterable[str] = NAMES) -> dict[str, str]:
    """Return the failed assertions of a check, by statement."""
    found = {}
    for name in names:
        try:
            check(name)
        except AssertionError as error:
            found[name] = str(error)
    return found


def parameters_of(text: str) -> set[str]:
    return set(re.findall(r"\$(\w+)", text))


def explain(session: Transaction, text: str) -> Explained:
    result = session.run("EXPLAIN " + given(text), {"given": {}})
    keys, summary = list(result.keys()), result.consume()
    assert summary.plan is not None
    return Explained(str(summary.query_type), keys, summary.plan["args"]["string-representation"])


def given(text: str) -> str:
    """A statement as it is sent: with one map of parameters."""
    return re.sub(r"\$(\w+)", r"$given.\1", text)


def test_every_statement_is_bound_to_one_function_and_every_function_has_a_statement() -> None:
    names = Counter(function.statement for function in FUNCTIONS)  # type: ignore[attr-defined]
    assert set(names) == set(NAMES)
    assert max(names.values()) == 1


def test_a_statement_begins_with_one_sentence() -> None:
    def check(name: str) -> None:
        assert statement(name).startswith("// ")
        assert summary(name).endswith(".")
        assert len(statement(name).splitlines()[0]) <= 110

    assert not faults(check)


def test_a_function_takes_what_its_statement_needs() -> None:
    def check(name: str) -> None:
        parameters = BOUND[name].parameters  # type: ignore[attr-defined]
        assert parameters_of(statement(name)) == parameters

    assert not faults(check, BOUND)


def test_a_statement_over_a_list_does_nothing_without_rows() -> None:
    def check(name: str) -> None:
        over = OVER & BOUND[name].parameters  # type: ignore[attr-defined]
        for parameter in over:
            assert re.search(rf"UNWIND \${parameter} |IN \${parameter}\b", statement(name))

    assert not faults(check, BOUND)


def test_the_server_understands_a_statement_and_its_verb_tells_its_access(
    explained: dict[str, Explained],
) -> None:
    def check(name: str) -> None:
        verb = name.rpartition("/")[2]
        # To end another's transaction is no write for the server, and no reading for people.
        reads = explained[name].query_type == "r" and "TERMINATE" not in statement(name)
        assert verb.startswith(READING if reads else WRITES), explained[name].query_type

    assert not faults(check)


def test_the_columns_of_a_statement_are_the_fields_of_its_row(
    explained: dict[str, Explained],
) -> None:
    def check(name: str) -> None:
        hints = get_type_hints(BOUND[name])["return"]
        rows = [part for part in (hints, *get_args(hints)) if hasattr(part, "__struct_fields__")]
        keys = explained[name].keys
        if keys == ["rows"]:
            keys = collected(statement(name))
            if rows and rows[0].__struct_config__.array_like:
                assert list(keys) == list(rows[0].__struct_fields__)
        if rows:
            fields = msgspec.structs.fields(rows[0])
            assert {field.name for field in fields if field.required} <= set(keys)
            assert set(keys) <= {field.name for field in fields}
        else:
            assert len(keys) <= 1

    assert not faults(check, BOUND)


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


def test_a_node_is_found_by_its_key(explained: dict[str, Explained]) -> None:
    """In a small graph another index seems as good, and its plan stays while the graph grows."""

    def check(name: str) -> None:
        plan = explained[name].plan
        rows = plan.splitlines()
        for number, row in enumerate(rows):
            if "+Filter" in row and BY_KEY.search(row):
                assert not FOUND_OTHERWISE.search(" ".join(rows[number : number + 4])), plan

    assert not faults(check)


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


def test_a_walk_begins_at_nodes_that_were_found(explained: dict[str, Explained]) -> None:
    """With a label inside of a walk, its plan may read that label's index for each step."""

    def check(name: str) -> None:
        plan = explained[name].plan
        if "+Repeat" in plan:
            assert not re.search(r"IndexScan|LabelScan|AllNodes", plan), plan

    assert not faults(check)
