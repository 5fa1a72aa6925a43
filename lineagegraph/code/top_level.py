"""The top-level statements of a module, and which of them have no effect but their name."""

import ast
import io
import re
import tokenize
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from lineagegraph.project.syntax import syntax_nodes, syntax_tree

_PACKAGE = "lineagegraph"
_WORD = re.compile(r"[^\W\d]\w*")
_MANGLED = re.compile(r"_[^_].*?__.")
_FUNCTIONS = ast.FunctionDef | ast.AsyncFunctionDef
_DECORATORS = frozenset({"task", "branch"})
_STATING = frozenset(
    {"branch", "cluster", "command", "depends", "freshness", "group", "notebook_task", "param"}
    | {"payload", "pipeline", "sensor", "spark_submit", "sql", "task"}
)
_TYPES = frozenset({"bool", "bytes", "dict", "float", "frozenset", "int", "list", "object"}) | {
    *("set", "str", "tuple", "type")
}

#: plain names of builtins that find code by text or in a namespace
_BUILTINS = frozenset({"compile", "dir", "eval", "exec", "globals", "locals", "vars"})
#: builtins that are harmless with a constant name as the second argument
_WITH_NAME = frozenset({"delattr", "getattr", "hasattr", "setattr"})
#: words that lead from objects to namespaces, sources or frames, also within a text
_WORDS = frozenset(
    {"__builtins__", "__code__", "__dict__", "__file__", "__getattribute__", "__globals__"}
    | {"__import__", "__loader__", "__path__", "__spec__", "__subclasses__", "_getframe"}
    | {"attrgetter", "co_code", "f_back", "f_globals", "f_locals", "meta_path", "methodcaller"}
    | {"resolve_name", "run_module", "run_path", "setprofile", "settrace", "tb_frame"}
)
#: modules that find, read or execute code
_MODULES = frozenset(
    {"__main__", "ast", "builtins", "cloudpickle", "code", "ctypes", "dill", "dis", "gc"}
    | {"imp", "inspect", "joblib", "linecache", "marshal", "pickle", "pkgutil", "pyclbr"}
    | {"pydoc", "runpy", "shelve", "symtable", "timeit", "traceback", "trace"}
)


@dataclass(frozen=True, eq=False, slots=True)
class TopLevelStatement:
    """A top-level statement with its text and the words in it."""

    first: int  # number of its first line, from 1
    last: int  # number of its last line
    text: str  # its lines, with line ends normalized
    words: frozenset[str]  # identifiers in it, also in its strings and comments
    optional: bool  # whether it has no effect but to bind `name`
    name: str | None  # name that it binds if it is optional; None for no effect at all
    imports: dict[str, frozenset[str]]  # words that each name of an import stands for
    reflects: tuple[int, str] | None  # line and word that reach code by computed names


def words_in(text: str) -> set[str]:
    """Return the identifiers in a text, as Python normalizes them."""
    return set(_WORD.findall(unicodedata.normalize("NFKC", text)))


def top_level(content: bytes) -> list[TopLevelStatement]:
    """Return the statements of a module; raises `SyntaxError` if it is not valid Python."""
    body = syntax_tree(content).body
    encoding, _ = tokenize.detect_encoding(io.BytesIO(content).readline)
    lines = content.decode(encoding).removeprefix("\ufeff")
    lines = lines.replace("\r\n", "\n").replace("\r", "\n")
    harmless = _Harmless(body, syntax_nodes(content))
    return list(_statements(body, harmless, lines.split("\n")))


def _statements(
    body: Sequence[ast.stmt], harmless: "_Harmless", lines: list[str]
) -> Iterator[TopLevelStatement]:
    spans = [(_first(node), node.end_lineno or node.lineno) for node in body]
    shared = {number for number, count in _lines_of(spans).items() if count > 1}
    for node, (first, last) in zip(body, spans, strict=True):
        text, nodes = "\n".join(lines[first - 1 : last]), list(ast.walk(node))
        imports = _imports(node) if not shared & {first, last} else None
        words = frozenset() if imports else frozenset(words_in(text) | _words_of_texts(nodes))
        optional = not shared & {first, last} and harmless.statement(node)
        name = _bound(node) if optional else None
        reflects = _reflects(node, nodes, words)
        yield TopLevelStatement(first, last, text, words, optional, name, imports or {}, reflects)


def _first(node: ast.stmt) -> int:
    decorators: list[ast.expr] = getattr(node, "decorator_list", [])
    return min([node.lineno, *(one.lineno for one in decorators)])


def _lines_of(spans: Iterable[tuple[int, int]]) -> Counter[int]:
    return Counter(number for first, last in spans for number in {first, last})


def _bound(node: ast.stmt) -> str | None:
    match node:
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            return name
        case ast.Assign(targets=[ast.Name(id=name)]):
            return name
    return None


def _imports(node: ast.stmt) -> dict[str, frozenset[str]] | None:
    match node:
        case ast.Import(names=names):
            # `import a.b` binds a, and everything is reached through its attributes.
            return {one.asname: frozenset(one.name.split(".")) for one in names if one.asname} or {
                "": frozenset()
            }
        case ast.ImportFrom(names=names) if names[0].name != "*":
            return {one.asname or one.name: frozenset({one.name}) for one in names}
    return None


def _words_of_texts(nodes: Iterable[ast.AST]) -> set[str]:
    """Return the words of constants, of which source text may have escapes and joined parts."""
    found: set[str] = set()
    for one in nodes:
        if isinstance(one, ast.Constant):
            if isinstance(one.value, str):
                found |= words_in(one.value)
            elif isinstance(one.value, bytes):
                found |= words_in(one.value.decode("latin-1"))
    return found


def _reflects(
    node: ast.stmt, nodes: Sequence[ast.AST], words: frozenset[str]
) -> tuple[int, str] | None:
    if isinstance(node, _FUNCTIONS) and node.name in ("__getattr__", "__dir__"):
        return node.lineno, node.name
    constant = _calls_with_constant_names(nodes)
    for one in nodes:
        if found := _reflection(one, constant):
            return getattr(one, "lineno", node.lineno), found
    hidden = sorted(words & _WORDS)
    return (node.lineno, hidden[0]) if hidden else None


def _calls_with_constant_names(nodes: Iterable[ast.AST]) -> set[int]:
    """Return the ids of the functions of calls such as `getattr(x, "name")`."""
    found: set[int] = set()
    for one in nodes:
        if not isinstance(one, ast.Call):
            continue
        called = one.func.attr if isinstance(one.func, ast.Attribute) else None
        called = one.func.id if isinstance(one.func, ast.Name) else called
        named = one.args[1:2] if called in _WITH_NAME else one.args
        if named and all(_is_text(arg) for arg in named):
            found.add(id(one.func))
    return found


def _is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def _reflection(node: ast.AST, constant: set[int]) -> str | None:
    """Return the name with which a node may reach code by a computed name."""
    match node:
        case ast.Name(id=name) if name in _BUILTINS:
            return name
        case ast.Name(id=name) if name in _WITH_NAME | {"import_module"}:
            return None if id(node) in constant else name
        case ast.Attribute(attr="import_module" as name):
            return None if id(node) in constant else name
        case ast.Attribute(attr="modules" as name):
            return name
        case ast.Import(names=names):
            return next((one.name for one in names if one.name.split(".")[0] in _MODULES), None)
        case ast.ImportFrom(module=module, names=names, level=0):
            if module and module.split(".")[0] in _MODULES:
                return module
            return next((one.name for one in names if _is_reflecting(one)), None)
    return None


def _is_reflecting(alias: ast.alias) -> bool:
    renamed = alias.name == "import_module" and alias.asname is not None
    return renamed or alias.name in _WORDS | {"modules"}


class _Harmless:
    """Which statements of a module run no code of the project when it is imported."""

    def __init__(self, body: Sequence[ast.stmt], nodes: Sequence[ast.AST]) -> None:
        self._bindings = Counter(name for node in nodes for name in _bindings(node))
        self._set = {
            node.attr
            for node in nodes
            if isinstance(node, ast.Attribute) and not isinstance(node.ctx, ast.Load)
        }
        self._modules: set[str] = set()
        self._from_package: dict[str, str] = {}
        self._imported: set[str] = set()
        self._plain: set[str] = set()
        for node in body:
            self._add(node)

    def _add(self, node: ast.stmt) -> None:
        """Note what a statement binds, in the order of the module."""
        match node:
            case ast.Import(names=names):
                self._modules |= {a.asname or a.name.split(".")[0] for a in names}
                self._from_package |= {a.asname or a.name: "" for a in names if a.name == _PACKAGE}
            case ast.ImportFrom(module=module, names=names, level=level):
                self._imported |= {a.asname or a.name for a in names}
                if module == _PACKAGE and not level:
                    self._from_package |= {a.asname or a.name: a.name for a in names}
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                if self._is_display(value) or self._stated(value):
                    self._plain.add(name)
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                if self.statement(node):
                    self._plain.add(name)

    def statement(self, node: ast.stmt) -> bool:
        """Return whether a statement has no effect but to bind one name, or states a pipeline."""
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                return self._is_own_name(node.name) and self._function(node, _DECORATORS)
            case ast.ClassDef():
                return self._is_own_name(node.name) and self._class(node)
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                return self._is_own_name(name) and self._stated(value) is not None
            case ast.Expr(value=value):
                return self._stated(value) == "pipeline"
        return False

    @staticmethod
    def _is_own_name(name: str) -> bool:
        # Inside a class `__x` means `_Class__x`; Python itself looks up names such as `__dir__`.
        return not name.startswith("__") and not _MANGLED.match(name)

    def _once(self, name: str) -> bool:
        return self._bindings[name] == 1

    def _function(self, node: _FUNCTIONS, decorators: frozenset[str]) -> bool:
        arguments = node.args
        annotated = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
        annotated += [one for one in (arguments.vararg, arguments.kwarg) if one]
        notes = [*(one.annotation for one in annotated), node.returns]
        defaults = [*arguments.defaults, *(one for one in arguments.kw_defaults if one)]
        return (
            not getattr(node, "type_params", None)
            and all(self._is_decorator(one, decorators) for one in node.decorator_list)
            and all(self._annotation(one) for one in notes if one)
            and all(self._argument(one) for one in defaults)
        )

    def _is_decorator(self, node: ast.expr, decorators: frozenset[str]) -> bool:
        if isinstance(node, ast.Call):
            return self._stated(node) in decorators
        return self._package_name(node) in decorators

    def _class(self, node: ast.ClassDef) -> bool:
        """Return whether a class runs nothing: a base or metaclass could, and so could values."""
        plain = not (node.decorator_list or node.bases or node.keywords)
        return plain and all(map(self._member, node.body)) and not getattr(node, "type_params", ())

    def _member(self, node: ast.stmt) -> bool:
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                return self._function(node, frozenset())
            case ast.Expr(value=ast.Constant()) | ast.Pass():
                return True
            case ast.Assign(targets=[ast.Name()], value=ast.Constant()):
                return True
        return False

    def _annotation(self, node: ast.expr) -> bool:
        match node:
            case ast.Name() | ast.Constant():
                return True
            case ast.Attribute(value=ast.Name(id=name)):
                return name in self._modules and self._once(name)
            case ast.Subscript(value=ast.Name(id=name), slice=inner):
                parts = inner.elts if isinstance(inner, ast.Tuple) else [inner]
                known = name in _TYPES and not self._bindings[name]
                return known and all(self._annotation(one) for one in parts)
            case ast.BinOp(left=left, op=ast.BitOr(), right=right):
                return all(self._is_type(one) for one in (left, right))
        return False

    def _is_type(self, node: ast.expr) -> bool:
        if isinstance(node, ast.Name):
            return node.id in _TYPES and not self._bindings[node.id]
        return isinstance(node, ast.Constant | ast.Subscript | ast.BinOp) and self._annotation(node)

    def _is_display(self, node: ast.expr) -> bool:
        """Return whether a value is written out, and so is no iterator that can be used up."""
        literal = ast.Constant | ast.List | ast.Tuple | ast.Set | ast.Dict
        return isinstance(node, literal) and self._argument(node)

    def _argument(self, node: ast.expr, *, inside: bool = False) -> bool:
        """Return whether an argument runs nothing, also while the package reads it."""
        match node:
            case ast.Constant():
                return True
            case ast.Name(id=name):
                known = name in self._plain or name in _TYPES - set(self._bindings)
                known = known or (inside and name in self._imported)
                return known and self._bindings[name] <= 1
            case ast.Attribute(value=ast.Name(id=name)) if inside:
                return name in self._modules and self._once(name)
            case ast.List(elts=parts) | ast.Tuple(elts=parts) | ast.Set(elts=parts):
                return all(self._argument(one, inside=True) for one in parts)
            case ast.Dict(keys=keys, values=parts):
                constant = all(isinstance(key, ast.Constant) for key in keys)
                return constant and all(self._argument(one, inside=True) for one in parts)
            case ast.Starred(value=ast.Name() as inner):
                return self._argument(inner)
            case ast.BinOp(left=left, op=ast.BitAnd() | ast.BitOr(), right=right):
                return all(self._is_condition(one) for one in (left, right))
        return self._stated(node) is not None

    def _is_condition(self, node: ast.expr) -> bool:
        if isinstance(node, ast.BinOp):
            return self._argument(node)
        return self._stated(node) is not None

    def _stated(self, node: ast.expr) -> str | None:
        """Return the function of the package that a harmless call calls."""
        if not isinstance(node, ast.Call) or not (name := self._package_name(node.func)):
            return None
        if name not in _STATING and name.partition(".")[0] not in ("on", "limit"):
            return None
        values = [*node.args, *(one.value for one in node.keywords)]
        return name if all(self._argument(one) for one in values) else None

    def _package_name(self, node: ast.expr) -> str | None:
        """Return the name of a function of the package, such as `task` or `on.success`."""
        match node:
            case ast.Name(id=name) if self._once(name):
                return self._from_package.get(name)
            case ast.Attribute(value=value, attr=attribute) if attribute not in self._set:
                above = self._package_name(value)
                if above is not None and above in ("", "on", "limit"):
                    return f"{above}.{attribute}".removeprefix(".")
        return None


def _bindings(node: ast.AST) -> Iterator[str]:
    """Yield the names that a node binds, in whatever scope."""
    match node:
        case ast.Name(id=name, ctx=ast.Store() | ast.Del()):
            yield name
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            yield name
        case ast.Import(names=names):
            yield from (one.asname or one.name.split(".")[0] for one in names)
        case ast.ImportFrom(names=names):
            yield from (one.asname or one.name for one in names)
        case ast.Global(names=names):
            yield from names
        case ast.ExceptHandler(name=str(name)) | ast.MatchAs(name=str(name)):
            yield name
        case ast.MatchStar(name=str(name)) | ast.MatchMapping(rest=str(name)):
            yield name
