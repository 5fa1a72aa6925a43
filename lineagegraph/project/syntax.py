"""The syntax trees of sources, each parsed once for all that look at it."""

import ast
from functools import lru_cache


@lru_cache(maxsize=64)
def syntax_tree(content: bytes) -> ast.Module:
    """Return the tree of a source, which callers share; raises `SyntaxError` if it is not valid."""
    return ast.parse(content)
