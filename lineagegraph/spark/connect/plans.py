"""Plans of Spark Connect: protobuf messages, read without the classes that made them."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from importlib import import_module
from typing import Any

from lineagegraph.spark.action import Change
from lineagegraph.spark.connect.parts import (
    FILE_FORMATS,
    NOTHING,
    Effect,
    FilePaths,
    Jdbc,
    NamedTable,
    Part,
    TemporaryView,
    Unknown,
    WrittenPart,
    named,
)

_RELATION = "spark.connect.Relation"
_EXPRESSION = "spark.connect.Expression.ExpressionString"
# Relations whose rows the program has itself, or that are commands without rows.
_MADE_HERE = (
    *("local_relation", "range", "cached_local_relation", "chunked_cached_local_relation"),
    *("unresolved_table_valued_function", "common_inline_user_defined_table_function", "catalog"),
)
# Commands that change the session, or ask about it.
_WITHOUT_DATA = (
    *("register_function", "register_table_function", "register_data_source"),
    *("get_resources_command", "streaming_query_command"),
    *("streaming_query_manager_command", "streaming_query_listener_bus_command"),
    *("create_resource_profile_command", "remove_cached_remote_relation_command"),
)
# Outputs that keep no rows, or only in memory.
_NOWHERE = ("noop", "console", "memory")
_MODES: dict[int, Change] = {2: "OVERWRITE", 3: "CREATE"}
_MODES_V2: dict[int, Change] = {
    1: "CREATE",
    2: "OVERWRITE",
    3: "OVERWRITE",
    5: "OVERWRITE",
    6: "OVERWRITE",
}


def operation_of(plan: Any) -> Any:
    """Return the relation or the command of a plan, which may be compressed."""
    kind = plan.WhichOneof("op_type")
    if kind != "compressed_operation":
        return getattr(plan, kind) if kind else None
    packed = plan.compressed_operation
    fresh = type(plan)()
    found = fresh.root if packed.op_type == packed.OP_TYPE_RELATION else fresh.command
    found.ParseFromString(import_module("zstandard").decompress(packed.data))
    return found


def ended_stream(operation: Any) -> str | None:
    """Return the run of the stream that a command stops or waits for."""
    if operation is None or _is_relation(operation):
        return None
    if operation.WhichOneof("command_type") != "streaming_query_command":
        return None
    command = operation.streaming_query_command
    is_end = command.WhichOneof("command") in ("stop", "await_termination")
    return str(command.query_id.run_id) if is_end else None


def effect_of(operation: Any) -> Effect:
    """Return the effect of a relation or a command."""
    if operation is None:
        return Effect((Unknown("plan"),))
    if _is_relation(operation):
        return _effect_of_relation(operation)
    kind = operation.WhichOneof("command_type")
    command: Any = getattr(operation, kind) if kind else None
    if kind == "sql_command":
        # Spark 3.5 has only the text.
        has_relation = "input" in command.DESCRIPTOR.fields_by_name
        return _effect_of_statement(command.input if has_relation else None, command.sql)
    if kind == "create_dataframe_view":
        return Effect(view=TemporaryView(command.name, sources_of(command.input), is_fixed=True))
    if kind in _WITHOUT_DATA:
        return NOTHING
    read = _COMMANDS.get(kind or "")
    if read is None:
        return Effect((*sources_of(operation), Unknown(f"command {kind or 'unknown'}")))
    outputs = tuple(read(command))
    # The rows that a MERGE leaves come from the table, too.
    merged = tuple(each.part for each in outputs) if kind == "merge_into_table_command" else ()
    return Effect((*sources_of(operation), *merged), outputs)


def _effect_of_relation(relation: Any) -> Effect:
    kind = relation.WhichOneof("rel_type")
    if kind == "catalog":
        return _effect_on_catalog(relation.catalog)
    if kind in ("sql", "with_relations") and (found := _effect_of_statement(relation, "")).sql:
        return replace(found, is_lazy=False, execution="collect")
    is_shown = kind in ("show_string", "html_string")
    return Effect(sources_of(relation), execution="head" if is_shown else "collect")


def _effect_of_statement(relation: Any, text: str) -> Effect:
    """Return the effect of SQL; its text may name frames that come along."""
    # Its parser is slow to import, and most tasks do without.
    from lineagegraph.spark.connect.statements import effect_of_sql

    frames: list[Part] = []
    local = frozenset[str]()
    if relation is not None and relation.WhichOneof("rel_type") == "with_relations":
        local = _aliases(relation)
        frames = [part for each in relation.with_relations.references for part in sources_of(each)]
        relation = relation.with_relations.root
    text = (relation and relation.sql.query) or text
    if not text:
        return NOTHING
    found = effect_of_sql(text)
    sources = [part for part in found.sources if not _is_local(part, local)]
    return replace(found, sources=tuple(dict.fromkeys([*sources, *frames])))


def sources_of(message: Any) -> tuple[Part, ...]:
    """Return the leaves of a plan, also of its sub-queries."""
    # Its parser is slow to import, and most tasks do without.
    from lineagegraph.spark.connect.statements import sources_of_expression

    found: list[Part] = []
    for each, local in _walk(message):
        parts = _leaf(each) if _is_relation(each) else sources_of_expression(each.expression)
        found += (part for part in parts if not _is_local(part, local))
    return tuple(dict.fromkeys(found))


def _is_relation(message: Any) -> bool:
    return bool(message.DESCRIPTOR.full_name == _RELATION)


def _is_local(part: Part, local: frozenset[str]) -> bool:
    return isinstance(part, NamedTable) and len(part.name) == 1 and part.name[0].lower() in local


def _walk(top: Any) -> Iterator[tuple[Any, frozenset[str]]]:
    """Yield all relations and texts of expressions, with the names of frames that SQL may use.

    It keeps a stack of its own: plans may be deeper than Python's.
    """
    stack: list[tuple[Any, frozenset[str]]] = [(top, frozenset())]
    while stack:
        message, local = stack.pop()
        if message.DESCRIPTOR.full_name == _EXPRESSION:
            yield message, local
        if _is_relation(message):
            yield message, local
            if aliases := _aliases(message):
                stack += ((each, local) for each in message.with_relations.references)
                stack.append((message.with_relations.root, aliases))
                continue
        stack += ((each, local) for each in reversed(list(_messages(message))))


def _aliases(relation: Any) -> frozenset[str]:
    """Return the names of the frames that a SQL text may use."""
    if relation.WhichOneof("rel_type") != "with_relations":
        return frozenset()
    found = relation.with_relations
    if found.root.WhichOneof("rel_type") != "sql":
        return frozenset()
    named_ = (each for each in found.references if each.WhichOneof("rel_type") == "subquery_alias")
    return frozenset(each.subquery_alias.alias.lower() for each in named_)


def _messages(message: Any) -> Iterator[Any]:
    for field, value in message.ListFields():
        if field.message_type is None:
            continue
        if field.message_type.GetOptions().map_entry:
            values = list(value.values())
            yield from (each for each in values if hasattr(each, "DESCRIPTOR"))
        elif hasattr(value, "DESCRIPTOR"):
            yield value
        else:
            yield from value


def _leaf(relation: Any) -> list[Part]:
    # Its parser is slow to import, and most tasks do without.
    from lineagegraph.spark.connect.statements import effect_of_sql

    kind = relation.WhichOneof("rel_type")
    if kind is None:
        return [Unknown("relation")]
    body = getattr(relation, kind)
    if kind == "read":
        return _read(relation)
    if kind == "sql":
        return list(effect_of_sql(body.query).sources)
    if kind in _MADE_HERE or _has_relation(body):
        return []
    return [Unknown("checkpoint" if kind == "cached_remote_relation" else kind)]


def _has_relation(body: Any) -> bool:
    return any(_is_relation(message) for message, _ in _walk(body))


def _read(relation: Any) -> list[Part]:
    read = relation.read
    if read.WhichOneof("read_type") == "named_table":
        return [_table(read.named_table.unparsed_identifier)]
    if read.WhichOneof("read_type") != "data_source":
        return [Unknown("source")]
    source = read.data_source
    form = source.format.lower()
    options = {key.lower(): value for key, value in source.options.items()}
    if form == "jdbc" or form.endswith(".jdbc"):
        return [_jdbc(options)]
    paths = (*source.paths, *filter(None, (options.get("path"),)))
    if paths and form in ("", *FILE_FORMATS):
        # To ask for a schema that has to be inferred would read the data once more.
        is_cheap = bool(source.schema) or form not in ("csv", "json", "xml")
        base = options.get("basepath")
        return [FilePaths((base,) if base else paths, relation if is_cheap else None)]
    if form == "iceberg" and len(paths) == 1:
        return [FilePaths(paths, relation) if "/" in paths[0] else _table(paths[0])]
    return [Unknown(f"source {source.format}".rstrip())]


def _jdbc(options: dict[str, str]) -> Part:
    table, query = options.get("dbtable"), options.get("query")
    asked = table or (query and f"({query}) t")
    return Jdbc(options["url"], asked) if asked and options.get("url") else Unknown("source jdbc")


def _table(text: str) -> Part:
    """Return the table of a name as Spark parses it."""
    parts, is_quoted = [""], False
    for letter in text:
        if letter == "`":
            is_quoted = not is_quoted
        elif letter == "." and not is_quoted:
            parts.append("")
        else:
            parts[-1] += letter
    return named(tuple(parts))


def _write(command: Any) -> list[WrittenPart]:
    change = _MODES.get(command.mode)
    kind = command.WhichOneof("save_type")
    if kind == "table":
        is_insert = command.table.save_method == command.table.TABLE_SAVE_METHOD_INSERT_INTO
        if is_insert and change == "CREATE":
            change = None
        return [WrittenPart(_table(command.table.table_name), change, command.input)]
    part = _saved(command.source, command.path, dict(command.options))
    return [WrittenPart(part, change, command.input)] if part else []


def _saved(source: str, path: str, given: dict[str, str]) -> Part | None:
    form = source.lower()
    options = {key.lower(): value for key, value in given.items()}
    path = path or options.get("path", "")
    if form in _NOWHERE:
        return None
    if form == "jdbc":
        return _jdbc(options)
    if form == "iceberg" and path:
        return FilePaths((path,)) if "/" in path else _table(path)
    if path and form in ("", *FILE_FORMATS):
        return FilePaths((path,))
    return Unknown(f"output {source}".rstrip())


def _write_v2(command: Any) -> list[WrittenPart]:
    change = _MODES_V2.get(command.mode)
    return [WrittenPart(_table(command.table_name), change, command.input)]


def _write_stream(command: Any) -> list[WrittenPart]:
    kind = command.WhichOneof("sink_destination")
    if kind == "table_name":
        return [WrittenPart(_table(command.table_name), query=command.input)]
    if command.HasField("foreach_batch") or command.HasField("foreach_writer"):
        return [WrittenPart(Unknown("output foreach"))]
    part = _saved(command.format, command.path, dict(command.options))
    return [WrittenPart(part, query=command.input)] if part else []


def _merge(command: Any) -> list[WrittenPart]:
    return [WrittenPart(_table(command.target_table_name))]


_COMMANDS: dict[str, Callable[[Any], list[WrittenPart]]] = {
    "write_operation": _write,
    "write_operation_v2": _write_v2,
    "write_stream_operation_start": _write_stream,
    "merge_into_table_command": _merge,
    "checkpoint_command": lambda _: [],
}
_CATALOG: dict[str, Change] = {
    "create_table": "CREATE",
    "create_external_table": "CREATE",
    "drop_table": "DROP",
    "truncate_table": "TRUNCATE",
}


def _effect_on_catalog(catalog: Any) -> Effect:
    """Return the effect of a method of `spark.catalog`; most of them only look."""
    kind = catalog.WhichOneof("cat_type")
    if kind in _CATALOG:
        table = _table(getattr(catalog, kind).table_name)
        return Effect((), (WrittenPart(table, _CATALOG[kind]),))
    return Effect((Unknown("drop_database"),)) if kind == "drop_database" else NOTHING
