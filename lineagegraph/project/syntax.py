"""The syntax trees of sources, each parsed and walked once for all that look at it."""

import ast
from collections.abc import Sequence
from functools import lru_cache


@lru_cache(maxsize=64)
def syntax_tree(content: bytes) -> ast.Module:
    """Return the tree of a source, which callers share; raises `SyntaxError` if it is not valid."""
    return ast.parse(content)


@lru_cache(maxsize=64)
def syntax_nodes(content: bytes) -> Sequence[ast.AST]:
    """Return the nodes of that tree, those above before those below."""
    return tuple(ast.walk(syntax_tree(content)))
