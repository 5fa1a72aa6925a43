"""The constraints and indexes of a graph."""

from lineagegraph.graph import Graph


def list_shape(graph: Graph) -> list[dict[str, object]]:
    """All constraints and indexes, apart from the numbers that the server gives them."""
    indexes = "SHOW INDEXES YIELD name, state, type, entityType, labelsOrTypes, properties"
    constraints = "SHOW CONSTRAINTS YIELD name, type, entityType, labelsOrTypes, properties"
    return [
        row
        for statement in (indexes, constraints)
        for row in graph.query(f"{statement} RETURN * ORDER BY name")
    ]


def list_names(graph: Graph) -> set[object]:
    """The names of all constraints and indexes."""
    return {row["name"] for row in list_shape(graph)}
