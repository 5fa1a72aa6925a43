"""The columns that the columns of a query come from."""

from collections.abc import Iterator, Mapping

from sqlglot import exp
from sqlglot.errors import SqlglotError
from sqlglot.lineage import Node, lineage
from sqlglot.optimizer.qualify import qualify

from lineagegraph.dataframes.described import ColumnOrigin, DescribedData, Origins

_MOST_COLUMNS = 200


def find_origins(
    query: exp.Query, sources: Mapping[str, list[DescribedData]], dialect: str
) -> Origins:
    """Return the origins of the columns of a query whose tables have the names of `sources`.

    A query whose columns cannot be resolved has none: `*` of a table without known columns.
    """
    schema = {
        name: {
            column: type_ or "TEXT" for found in behind for column, type_ in found.columns.items()
        }
        for name, behind in sources.items()
    }
    try:
        resolved = qualify(
            query.copy(), schema={k: v for k, v in schema.items() if v}, dialect=dialect
        )
        if not isinstance(resolved, exp.Query) or len(resolved.named_selects) > _MOST_COLUMNS:
            return {}
        if "*" in resolved.named_selects:
            return {}
        nodes = lineage(None, resolved, {}, dialect=dialect)
    except (SqlglotError, RecursionError, ValueError, KeyError):
        return {}
    assert isinstance(nodes, dict)
    return {name: list(_origins(node, sources)) for name, node in nodes.items()}


def _origins(column: Node, sources: Mapping[str, list[DescribedData]]) -> Iterator[ColumnOrigin]:
    nodes = list(column.walk())
    subtype, seen = _subtype(nodes), set[tuple[str, str]]()
    for node in nodes:
        table = node.source
        if node.downstream or not isinstance(table, exp.Table) or table.name not in sources:
            continue
        name = node.name.rpartition(".")[2].strip('"')
        if (table.name, name) not in seen:
            seen.add((table.name, name))
            yield from (ColumnOrigin(one.name, name, subtype) for one in sources[table.name])


def _subtype(nodes: list[Node]) -> str:
    """Return how the first node's column is made of others."""
    made = [node.expression.unalias() for node in nodes if node.downstream]
    if any(one.find(exp.AggFunc) for one in made if not isinstance(one, exp.Query)):
        return "AGGREGATION"
    return "IDENTITY" if all(isinstance(one, exp.Column) for one in made) else "TRANSFORMATION"
