"""Whether the import of a source changes nothing in its process, told from its syntax.

An allow-list: all that an import executes must be known to change only names of the module itself.
Bodies of functions count for nothing, as nothing that is allowed calls a function of the source.
"""

import ast
import builtins
import sys
from collections.abc import Iterable

from lineagegraph.project.syntax import syntax_tree


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


def _names(module: str, names: str) -> frozenset[str]:
    return frozenset(f"{module}.{name}" for name in _words(names))


_PACKAGE = "lineagegraph"
# They keep the function that they decorate, and do not call it.
_DECORATORS = _names(_PACKAGE, "branch task")
# Not those that load libraries (sensors), read files, or need the graph.
CALLS = (
    _DECORATORS
    | _names(
        _PACKAGE,
        "batch cluster command depends file freshness group notebook_task param payload pipeline"
        " spark_submit sql trigger variable",
    )
    | _names(
        f"{_PACKAGE}.on",
        "absent all_of any_of at_least cron dataset event every failure fresh key killed not_"
        " sequence status success tag_reaches upstream",
    )
    | _names(f"{_PACKAGE}.limit", "between concurrency delay gap not_failing rate")
    | _names("datetime", "date datetime time timedelta timezone")
    | _names(
        "builtins",
        "abs bool dict enumerate float int len list max min range reversed round sorted str sum"
        " tuple zip",
    )
)
_VALUES = (
    _names("datetime", "UTC date datetime time timedelta timezone")
    | _names("typing", "Annotated Any Final Literal Optional TYPE_CHECKING Union")
    | _names("builtins", "bool bytes dict float frozenset int list object set str tuple")
)
_MODULES = frozenset({_PACKAGE, f"{_PACKAGE}.on", f"{_PACKAGE}.limit", "datetime", "typing"})
# Whatever value has them, of Python's own types or of this package: they call nothing else.
_METHODS = _words(
    "append as_task capitalize casefold center copy count endswith exists extend find fromisoformat"
    " get index insert isdigit isoformat items join keys ljust lower lstrip matches not_empty"
    " partition removeprefix removesuffix replace rjust rpartition rsplit rstrip split splitlines"
    " startswith strip swapcase times title upper values where within zfill"
)
_ATTRIBUTES = _words("output")
_BUILTIN = frozenset(dir(builtins))
_OWN_NAMES = _words("__name__ __file__ __doc__")
_PLAIN, _OPAQUE = "", "?"
# Bytes of a source; to check more would take longer than it saves.
_LARGEST = 100_000


def is_harmless(content: bytes) -> bool:
    """Return whether the import of a source changes nothing but its own module."""
    if len(content) > _LARGEST:
        return False
    try:
        return _Source().allows(syntax_tree(content).body)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False


class _Source:
    """The names that a source has bound so far, each with one meaning for the whole source.

    The meaning is the full name of what was imported, or plain for a value that the source made. An
    opaque name stands for something that is not known: it may be there, and not be used.
    """

    def __init__(self) -> None:
        self._meanings: dict[str, str] = {}

    def allows(self, body: Iterable[ast.stmt]) -> bool:
        """Return whether all statements are harmless, in order."""
        return all(map(self._statement, body))

    def _statement(self, node: ast.stmt) -> bool:
        match node:
            case ast.Import(names=names):
                return all(map(self._import, names))
            case ast.ImportFrom(module=str(module), names=names, level=0):
                return all(self._import_from(module, one) for one in names)
            case ast.Expr(value=value):
                return self._value(value)
            case ast.Assign(targets=targets, value=value):
                return self._value(value) and all(map(self._target, targets))
            case ast.AnnAssign(target=target, annotation=annotation, value=value):
                stated = self._annotation(annotation) and self._optional(value)
                return stated and self._target(target)
            case ast.AugAssign(target=ast.Name() as target, value=value):
                # In place: of a value that the source made, as other names are not plain.
                return self._value(value) and self._target(target)
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                return self._function(node)
            case ast.If(test=test, body=body, orelse=orelse):
                inside = self._is_false(test) or (self._value(test) and self.allows(body))
                return inside and self.allows(orelse)
            case ast.For(target=target, iter=iterated, body=body, orelse=orelse):
                each = self._value(iterated) and self._target(target)
                return each and self.allows(body) and self.allows(orelse)
        return isinstance(node, ast.Pass | ast.Break | ast.Continue)

    def _is_false(self, test: ast.expr) -> bool:
        is_program = ast.unparse(test) == "__name__ == '__main__'"
        return is_program or self._full_name(test) == "typing.TYPE_CHECKING"

    def _import(self, alias: ast.alias) -> bool:
        if alias.name != _PACKAGE and not _is_loaded(alias.name):
            return False
        name = alias.asname or alias.name.partition(".")[0]
        return self._bind(name, alias.name if alias.name in _MODULES else _OPAQUE)

    def _import_from(self, module: str, alias: ast.alias) -> bool:
        if alias.name == "*" or (module != _PACKAGE and not _is_loaded(module)):
            return False
        full = f"{module}.{alias.name}"
        is_known = full in CALLS or full in _VALUES or full in _MODULES
        return self._bind(alias.asname or alias.name, full if is_known else _OPAQUE)

    def _bind(self, name: str, meaning: str) -> bool:
        # A builtin's name would stand for the builtin until it is bound.
        if name in _BUILTIN or name.startswith("__"):
            return False
        return self._meanings.setdefault(name, meaning) == meaning

    def _target(self, node: ast.expr) -> bool:
        match node:
            case ast.Name(id=name):
                return self._bind(name, _PLAIN)
            case ast.Tuple(elts=parts) | ast.List(elts=parts):
                return all(map(self._target, parts))
            case ast.Starred(value=value):
                return self._target(value)
        return False

    def _function(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
        stated = node.args
        arguments = [*stated.posonlyargs, *stated.args, *stated.kwonlyargs]
        arguments += [one for one in (stated.vararg, stated.kwarg) if one is not None]
        annotations = [one.annotation for one in arguments] + [node.returns]
        return (
            not getattr(node, "type_params", ())
            and all(map(self._decorator, node.decorator_list))
            and all(map(self._optional, (*stated.defaults, *stated.kw_defaults)))
            and all(one is None or self._annotation(one) for one in annotations)
            and self._bind(node.name, _PLAIN)
        )

    def _decorator(self, node: ast.expr) -> bool:
        if isinstance(node, ast.Call):
            return self._full_name(node.func) in _DECORATORS and self._arguments(node)
        return self._full_name(node) in _DECORATORS

    def _annotation(self, node: ast.expr) -> bool:
        """Return whether an annotation is harmless; a text in it may be executed too."""
        match node:
            case ast.Constant(value=value):
                return not isinstance(value, str) or value.isidentifier()
            case ast.Name(id=name) if name in self._meanings:
                return True
            case ast.Subscript(value=value, slice=inside):
                return self._full_name(value) in _VALUES and self._annotation(inside)
            case ast.BinOp(left=left, op=ast.BitOr(), right=right):
                return self._annotation(left) and self._annotation(right)
            case ast.Tuple(elts=parts) | ast.List(elts=parts):
                return all(map(self._annotation, parts))
        return self._full_name(node) in _VALUES

    def _optional(self, node: ast.expr | None) -> bool:
        return node is None or self._value(node)

    def _value(self, node: ast.expr) -> bool:
        """Return whether an expression is harmless, and so is its value."""
        match node:
            case ast.Constant():
                return True
            case ast.Name(id=name) if name in _OWN_NAMES or self._meanings.get(name) == _PLAIN:
                return True
            case ast.Call():
                return self._call(node)
            case ast.Attribute(value=value, attr=attribute) if attribute in _ATTRIBUTES:
                return self._value(value)
            case ast.ListComp() | ast.GeneratorExp():
                return self._each(node.generators) and self._value(node.elt)
            case ast.DictComp(key=key, value=value, generators=generators):
                return self._each(generators) and self._value(key) and self._value(value)
        if isinstance(node, _COMPOSED):
            below = ast.iter_child_nodes(node)
            return all(self._value(one) for one in below if isinstance(one, ast.expr))
        return self._full_name(node) in _VALUES

    def _each(self, generators: Iterable[ast.comprehension]) -> bool:
        return all(
            not one.is_async
            and self._value(one.iter)
            and self._target(one.target)
            and all(map(self._value, one.ifs))
            for one in generators
        )

    def _call(self, node: ast.Call) -> bool:
        name = self._full_name(node.func)
        if name in CALLS:
            # Python's own `sorted` and the like call what is their `key`.
            is_own = name.startswith("builtins.") and name != "builtins.dict"
            named = any(one.arg in (None, "key") for one in node.keywords)
            return not (is_own and named) and self._arguments(node)
        match node.func:
            case ast.Attribute(value=value, attr=method) if method in _METHODS:
                return self._value(value) and self._arguments(node)
        return False

    def _arguments(self, node: ast.Call) -> bool:
        return all(map(self._value, (*node.args, *(one.value for one in node.keywords))))

    def _full_name(self, node: ast.expr) -> str:
        """Return the full name of something imported or built in, an empty text for others."""
        match node:
            case ast.Name(id=name):
                if name in _BUILTIN:
                    return f"builtins.{name}"
                meaning = self._meanings.get(name, _PLAIN)
                return "" if meaning == _OPAQUE else meaning
            case ast.Attribute(value=value, attr=attribute):
                module = self._full_name(value)
                return f"{module}.{attribute}" if module in _MODULES else ""
        return ""


# Not sets: the order of tasks in one hangs on where the process has them in memory.
_COMPOSED = (
    ast.BinOp
    | ast.BoolOp
    | ast.Compare
    | ast.Dict
    | ast.FormattedValue
    | ast.IfExp
    | ast.JoinedStr
    | ast.List
    | ast.Slice
    | ast.Starred
    | ast.Subscript
    | ast.Tuple
    | ast.UnaryOp
)


def _is_loaded(module: str) -> bool:
    """Return whether the import of a module only binds its name: it is Python's, and loaded."""
    return module.partition(".")[0] in sys.stdlib_module_names and module in sys.modules
