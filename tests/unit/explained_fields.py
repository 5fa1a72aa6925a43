"""Fields of value classes in source code, and whether each is explained where it is defined."""

import ast
import io
import tokenize
from collections.abc import Iterator, Mapping

_VALUES = {"Struct", "NamedTuple", "TypedDict", "BaseModel", "BaseSettings"}
# Remarks to tools explain nothing.
_PRAGMAS = ("noqa", "type:", "pragma:")
_Classes = Mapping[str, ast.ClassDef]


def list_unexplained(
    sources: Mapping[str, str], trees: Mapping[str, ast.Module], most: int
) -> Iterator[str]:
    """Yield the unexplained fields of classes with more than `most` fields, inherited ones too.

    A comment explains a field, on its line or directly above, or a description in its type.
    """
    beside = {file: {one.name: one for one in _classes(tree)} for file, tree in trees.items()}
    everywhere = {name: one for classes in beside.values() for name, one in classes.items()}
    described = {name for tree in trees.values() for name in _described_aliases(tree)}
    large = {
        id(member)
        for classes in beside.values()
        for one in classes.values()
        for member in _large_family(one, {**everywhere, **classes}, most)
    }
    for file, classes in beside.items():
        found = [one for one in classes.values() if id(one) in large]
        commented = _commented_lines(sources[file]) if found else set()
        for name, field in ((one.name, field) for one in found for field in _fields(one)):
            is_alias = isinstance(field.annotation, ast.Name) and field.annotation.id in described
            has_comment = not commented.isdisjoint({field.lineno, field.end_lineno})
            if not (has_comment or is_alias or _has_description(field)):
                yield f"{file}:{field.lineno} {name}.{ast.unparse(field.target)}"


def _classes(tree: ast.Module) -> Iterator[ast.ClassDef]:
    return (one for one in ast.walk(tree) if isinstance(one, ast.ClassDef))


def _described_aliases(tree: ast.Module) -> Iterator[str]:
    """Yield the names of types that have a description."""
    for one in tree.body:
        if isinstance(one, ast.Assign) and _has_description(one.value):
            yield from (_name(target) for target in one.targets)


def _large_family(one: ast.ClassDef, known: _Classes, most: int) -> list[ast.ClassDef]:
    """Return a value class with its bases if they have too many fields together."""
    family = list(_family(one, known))
    is_large = sum(len(_fields(member)) for member in family) > most
    return family if is_large and any(_is_value(member) for member in family) else []


def _family(one: ast.ClassDef, known: _Classes) -> Iterator[ast.ClassDef]:
    yield one
    for base in one.bases:
        found = known.get(_name(base))
        if found and found is not one:
            yield from _family(found, known)


def _is_value(one: ast.ClassDef) -> bool:
    bases = {_name(base) for base in one.bases}
    return bool(bases & _VALUES) or "dataclass" in map(_name, one.decorator_list)


def _fields(one: ast.ClassDef) -> list[ast.AnnAssign]:
    found = (each for each in one.body if isinstance(each, ast.AnnAssign))
    return [each for each in found if _name(each.annotation) != "ClassVar"]


def _name(node: ast.expr) -> str:
    match node:
        case ast.Subscript(value=inner) | ast.Call(func=inner):
            return _name(inner)
        case ast.Attribute(attr=name) | ast.Name(id=name):
            return name
    return ""


def _has_description(node: ast.AST) -> bool:
    calls = (one for one in ast.walk(node) if isinstance(one, ast.Call))
    return any(
        any(word.arg == "description" for word in call.keywords)
        or (_name(call).lstrip("_") == "about" and bool(call.args))
        for call in calls
    )


def _commented_lines(source: str) -> set[int | None]:
    """Return the lines with a comment, and those below a line that is only a comment."""
    tokens = tokenize.generate_tokens(io.StringIO(source).readline)
    return {
        one.start[0] + one.line.lstrip().startswith("#")
        for one in tokens
        if one.type == tokenize.COMMENT and not one.string.lstrip("#: ").startswith(_PRAGMAS)
    }
