"""The scopes of common table expressions in a statement."""

from sqlglot import exp


def is_common(table: exp.Table) -> bool:
    """Return whether a name is that of a common table expression, which may hide a table."""
    if table.db:
        return False
    node: exp.Expr = table
    while parent := node.parent:
        if isinstance(parent, exp.With):
            earlier = parent.expressions[: parent.expressions.index(node)]
            visible = [*earlier, node] if parent.args.get("recursive") else earlier
        else:
            with_ = parent.args.get("with_") or parent.args.get("with")
            visible = with_.expressions if with_ and with_ is not node else []
        if any(each.alias.lower() == table.name.lower() for each in visible):
            return True
        node = parent
    return False
